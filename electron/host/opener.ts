import { type LinkAddress, writeLinkFile } from './linkFile.ts'

export type { LinkAddress }

/** How the system opens an address in the person's browser. */
export function openerOf(
  url: string,
  platform: NodeJS.Platform = process.platform,
): { command: string; args: readonly string[] } {
  if (platform === 'darwin') return { command: 'open', args: [url] }
  if (platform === 'win32') return { command: 'rundll32', args: ['url.dll,FileProtocolHandler', url] }
  return { command: 'xdg-open', args: [url] }
}

/**
 * The address by which the browser is sent to a link; null where it cannot be made. Everyone on a machine can read the
 * arguments of every process (on Windows only its own user can), so it never lets a mere bearer in: on Linux it is
 * one that lets in this user alone; elsewhere, where the other end's user cannot be asked for, a page that only this user can read.
 */
export function addressFor(
  link: { readonly url: string; readonly ownUrl: string },
  platform: NodeJS.Platform = process.platform,
): LinkAddress | null {
  const plain = (address: string): LinkAddress => ({ address, remove: () => {} })
  if (platform === 'win32') return plain(link.url)
  if (platform === 'linux') return plain(link.ownUrl)
  try {
    return writeLinkFile(link.url)
  } catch {
    return null
  }
}
