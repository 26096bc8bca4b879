/** How the system opens an address in the person's browser. */
export function openerOf(
  url: string,
  platform: NodeJS.Platform = process.platform,
): { command: string; args: readonly string[] } {
  if (platform === 'darwin') return { command: 'open', args: [url] }
  if (platform === 'win32') return { command: 'rundll32', args: ['url.dll,FileProtocolHandler', url] }
  return { command: 'xdg-open', args: [url] }
}
