const pad = (n: number) => String(n).padStart(2, '0')
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const

const dayOf = (d: Date) => `${d.getFullYear()}-${pad(d.getMonth() + 1)}-${pad(d.getDate())}`

/** `08:41`, local time. */
export function clock(at: string): string {
  const d = new Date(at)
  return Number.isNaN(d.getTime()) ? at : `${pad(d.getHours())}:${pad(d.getMinutes())}`
}

/** The shortest time that says when: `08:41` today, `Sun 22:47` in the last six days, else `2026-11-02 08:41`. */
export function when(at: string, now: Date = new Date()): string {
  const d = new Date(at)
  if (Number.isNaN(d.getTime())) return at
  if (dayOf(d) === dayOf(now)) return clock(at)
  const ago = now.getTime() - d.getTime()
  if (ago > 0 && ago < 6 * 86_400_000) return `${DAYS[d.getDay()]} ${clock(at)}`
  return `${dayOf(d)} ${clock(at)}`
}

/** How long ago, in the largest unit that fits: `3 hours`, `2 days`. */
export function age(at: string, now: Date = new Date()): string {
  const minutes = Math.max(0, Math.round((now.getTime() - new Date(at).getTime()) / 60_000))
  const say = (n: number, unit: string) => `${n} ${unit}${n === 1 ? '' : 's'}`
  if (minutes < 60) return say(minutes, 'minute')
  if (minutes < 48 * 60) return say(Math.round(minutes / 60), 'hour')
  return say(Math.round(minutes / 1440), 'day')
}

/** `Tue 24` for a local date `2026-11-24`. */
export function dayName(date: string): string {
  const d = new Date(`${date}T12:00:00`)
  return Number.isNaN(d.getTime()) ? date : `${DAYS[d.getDay()]} ${d.getDate()}`
}
