/** Origins that a link of the app may open in the browser. */
const ALLOWED: readonly string[] = ['https://git-scm.com', 'https://nodejs.org', 'https://github.com']

/** Whether an address may be handed to the system's browser: https, no user name, an origin of the list. */
export function mayOpenOutside(address: string): boolean {
  if (!URL.canParse(address)) return false
  const url = new URL(address)
  return url.username === '' && url.password === '' && ALLOWED.includes(url.origin)
}
