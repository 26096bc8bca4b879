import { useEffect, useRef, useState } from 'react'
import type { Resolution } from '../../../shared/model/index.ts'

type Mode = 'swipe' | 'difference' | 'base'
const WORDS: Readonly<Record<Mode, string>> = { swipe: 'Swipe', difference: 'Difference', base: 'Base' }

/** Two images over each other: swiped from one to the other, or what differs between them; and base by itself. */
export function ImageCompare({ resolution }: { readonly resolution: Resolution }) {
  const { ours, theirs, sides } = resolution
  const [mode, setMode] = useState<Mode>('swipe')
  const modes: Mode[] = sides.base?.image ? ['swipe', 'difference', 'base'] : ['swipe', 'difference']
  const [left, right] = [sides.ours?.image, sides.theirs?.image]
  if (!left || !right) return null
  const names = { left: ours.name, right: theirs.name }
  return (
    <section className="card compare" aria-label="Compare the images">
      <div className="merge-head">
        <h3>Compare</h3>
        <fieldset className="seg" aria-label="How to compare">
          {modes.map((one) => (
            <button key={one} type="button" aria-pressed={mode === one} onClick={() => setMode(one)}>
              {WORDS[one]}
            </button>
          ))}
        </fieldset>
      </div>
      {mode === 'swipe' && <Swipe left={left} right={right} names={names} />}
      {mode === 'difference' && <Difference left={left} right={right} names={names} />}
      {mode === 'base' && sides.base?.image && (
        <div className="picture">
          <img src={sides.base.image} alt={`Base: ${resolution.baseLabel}`} />
        </div>
      )}
    </section>
  )
}

interface PairProps {
  readonly left: string
  readonly right: string
  readonly names: { readonly left: string; readonly right: string }
}

function Swipe({ left, right, names }: PairProps) {
  const [at, setAt] = useState(50)
  return (
    <>
      <div className="picture stack">
        <img src={right} alt={`${names.right}, behind`} />
        <img src={left} alt={`${names.left}, in front`} style={{ clipPath: `inset(0 ${100 - at}% 0 0)` }} />
        <span className="swipe-line" style={{ left: `${at}%` }} aria-hidden="true" />
      </div>
      <Slider
        label={`Swipe from ${names.right} to ${names.left}`}
        value={at}
        text={`${at} % of ${names.left}`}
        onChange={setAt}
      />
    </>
  )
}

/** How much smaller differences are brought out: from as they are to 16 times. */
const STRONGEST = 16

function Difference({ left, right, names }: PairProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [strength, setStrength] = useState(25)
  const [differing, setDiffering] = useState<string | null>(null)
  useEffect(() => {
    let gone = false
    void draw(canvas.current, left, right, 1 + ((STRONGEST - 1) * strength) / 100).then((share) => {
      if (!gone) setDiffering(share === null ? 'The images cannot be compared.' : shareWords(share))
    })
    return () => {
      gone = true
    }
  }, [left, right, strength])
  return (
    <>
      <div className="picture">
        <canvas
          ref={canvas}
          role="img"
          aria-label={`Difference of ${names.left} and ${names.right}. ${differing ?? ''}`}
        />
      </div>
      <p className="small dim compare-words" role="status">
        {differing ?? 'Comparing.'}
      </p>
      <Slider label="Bring out small differences" value={strength} text={`${strength} %`} onChange={setStrength} />
    </>
  )
}

const shareWords = (share: number): string =>
  share === 0
    ? 'No pixel differs.'
    : `${share < 0.001 ? 'Less than 0.1' : (share * 100).toFixed(1)} % of the pixels differ; black is the same.`

async function loaded(source: string): Promise<HTMLImageElement> {
  const image = new Image()
  image.src = source
  await image.decode()
  return image
}

/** Largest side of the canvas, in pixels. */
const MOST_PIXELS = 2048

/** Draws what differs; the share of pixels that do, null where an image cannot be read. */
async function draw(canvas: HTMLCanvasElement | null, left: string, right: string, by: number): Promise<number | null> {
  if (canvas === null) return null
  try {
    const [a, b] = await Promise.all([loaded(left), loaded(right)])
    const full = { width: Math.max(a.naturalWidth, b.naturalWidth), height: Math.max(a.naturalHeight, b.naturalHeight) }
    const scale = Math.min(1, MOST_PIXELS / Math.max(full.width, full.height, 1))
    canvas.width = Math.max(1, Math.round(full.width * scale))
    canvas.height = Math.max(1, Math.round(full.height * scale))
    const context = canvas.getContext('2d', { willReadFrequently: true })
    if (context === null) return null
    const pixels = [a, b].map((image) => {
      context.clearRect(0, 0, canvas.width, canvas.height)
      context.drawImage(image, 0, 0, image.naturalWidth * scale, image.naturalHeight * scale)
      return context.getImageData(0, 0, canvas.width, canvas.height)
    })
    const [one, two] = pixels
    if (one === undefined || two === undefined) return null
    let differ = 0
    for (let at = 0; at < one.data.length; at += 4) {
      let most = 0
      for (let i = 0; i < 4; i++) most = Math.max(most, Math.abs((one.data[at + i] ?? 0) - (two.data[at + i] ?? 0)))
      if (most > 0) differ++
      const light = Math.min(255, most * by)
      one.data.set([light, light, light, 255], at)
    }
    context.putImageData(one, 0, 0)
    return differ / (one.data.length / 4)
  } catch {
    return null
  }
}

interface SliderProps {
  readonly label: string
  readonly value: number
  readonly text: string
  readonly onChange: (value: number) => void
}

function Slider({ label, value, text, onChange }: SliderProps) {
  return (
    <label className="slider small dim">
      <span>{label}</span>
      <input
        type="range"
        min={0}
        max={100}
        value={value}
        aria-label={label}
        aria-valuetext={text}
        onChange={(event) => onChange(Number(event.target.value))}
      />
    </label>
  )
}
