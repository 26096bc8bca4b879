import type { ConflictItem, ConflictKind } from '../../../../shared/model/index.ts'

export interface ListFilter {
  readonly path: string
  readonly state: 'all' | ConflictItem['state']
}

export const NO_FILTER: ListFilter = { path: '', state: 'all' }

export function filterItems(items: readonly ConflictItem[], filter: ListFilter): ConflictItem[] {
  const needle = filter.path.trim().toLowerCase()
  return items.filter(
    (item) =>
      (filter.state === 'all' || item.state === filter.state) &&
      (needle === '' || item.paths.some((path) => path.toLowerCase().includes(needle))),
  )
}

const KINDS: Readonly<Record<ConflictKind, string>> = {
  text: 'text',
  'add-add': 'both created it',
  'modify-delete': 'changed and deleted',
  'rename-rename': 'renamed twice',
  'rename-delete': 'renamed and deleted',
  'rename-add': 'renamed onto another',
  'both-deleted': 'both deleted it',
  'type-change': 'other type',
  mode: 'mode',
  'file-directory': 'file and folder',
  binary: 'binary',
  image: 'image',
  lfs: 'Git LFS',
  submodule: 'submodule',
  symlink: 'symbolic link',
}

export const kindWords = (kind: ConflictKind): string => KINDS[kind]
