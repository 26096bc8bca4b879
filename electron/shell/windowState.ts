import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import * as z from 'zod'

export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const WindowState = z.strictObject({
  x: z.int(),
  y: z.int(),
  width: z.int(),
  height: z.int(),
  maximized: z.boolean(),
})
export type WindowState = z.infer<typeof WindowState>

export const DEFAULT_SIZE = { width: 1280, height: 800 } as const
export const SMALLEST = { width: 720, height: 480 } as const
/** So much of the title bar must be on a display for a person to get hold of it, in device-independent pixels. */
const GRIP = { width: 120, height: 32 } as const

/** The remembered state, null where there is none that can be read. */
export function readWindowState(file: string): WindowState | null {
  try {
    return WindowState.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

/** Remembers the state. A file that cannot be written costs only the memory of it. */
export function writeWindowState(file: string, state: WindowState): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(state))
  } catch {
    // Opens in the middle next time.
  }
}

const overlap = (a: Rectangle, b: Rectangle) => ({
  width: Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x),
  height: Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y),
})

/**
 * Where the window opens. `displays`: the work areas, the primary one first. A remembered place is kept where its title bar
 * can be reached on some display; the size never exceeds that display. Otherwise the middle of the primary display.
 */
export function placeWindow(state: WindowState | null, displays: readonly Rectangle[]): Rectangle {
  const primary = displays[0] ?? { x: 0, y: 0, ...DEFAULT_SIZE }
  if (state !== null) {
    const titleBar = { x: state.x, y: state.y, width: state.width, height: GRIP.height }
    for (const area of displays) {
      const seen = overlap(titleBar, area)
      if (seen.width < GRIP.width || seen.height < GRIP.height) continue
      const width = clamp(state.width, SMALLEST.width, area.width)
      const height = clamp(state.height, SMALLEST.height, area.height)
      return { x: state.x, y: Math.min(state.y, Math.max(area.y, area.y + area.height - GRIP.height)), width, height }
    }
  }
  const width = clamp(state?.width ?? DEFAULT_SIZE.width, SMALLEST.width, primary.width)
  const height = clamp(state?.height ?? DEFAULT_SIZE.height, SMALLEST.height, primary.height)
  return {
    x: primary.x + Math.round((primary.width - width) / 2),
    y: primary.y + Math.round((primary.height - height) / 2),
    width,
    height,
  }
}

const clamp = (wanted: number, least: number, most: number) => Math.min(Math.max(wanted, least), Math.max(most, 1))
