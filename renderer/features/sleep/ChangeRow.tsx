import type { KeyboardEvent } from 'react'
import type { FileChange } from '../../../shared/model/index.ts'
import { Icon } from '../../ui/Icon.tsx'
import { showPath } from '../../ui/path.ts'
import type { Row } from './model/groups.ts'

interface Props {
  readonly row: Row
  readonly name: ReadonlyMap<string, string>
  readonly current: string | null
  readonly tabIndex: number
  /** Whether some commit of the run is a phase's, so that one that is not stands out. */
  readonly flags: boolean
  /** The address of a file, for a new tab. */
  readonly hrefOf: (path: string) => string
  readonly onFocus: () => void
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly onToggle: (open: boolean) => void
  readonly onSelect: (path: string) => void
  /** Ticks all files of a kind as viewed; null while one commit is walked. */
  readonly onTickAll: ((files: readonly FileChange[]) => void) | null
}

/** One row of the list of changes. */
export function RowView({
  row,
  name,
  current,
  tabIndex,
  flags,
  hrefOf,
  onFocus,
  onKeyDown,
  onToggle,
  onSelect,
  onTickAll,
}: Props) {
  if (row.type === 'kind')
    return (
      <div className="kind-row">
        <button
          type="button"
          className="kind inset-focus"
          data-row={row.id}
          tabIndex={tabIndex}
          aria-expanded={row.open}
          onFocus={onFocus}
          onKeyDown={onKeyDown}
          onClick={() => onToggle(!row.open)}
        >
          <Icon name={row.open ? 'down' : 'right'} className="dimmer" />
          <span>{row.group.name}</span>
          <span className="total">{row.group.files.length.toLocaleString('en-US')}</span>
          <span className="num">
            {row.left > 0 ? (
              `${row.left.toLocaleString('en-US')} left`
            ) : (
              <Icon name="check" className="dimmer" label="viewed" />
            )}
          </span>
        </button>
        {row.left > 0 && onTickAll && (
          <button
            type="button"
            className="btn s tick-all"
            tabIndex={-1}
            aria-label={`Viewed, all ${row.group.files.length} of ${row.group.name}`}
            title={`Tick all of ${row.group.name} as viewed (V on its row)`}
            onClick={() => onTickAll(row.group.files)}
          >
            <Icon name="check" />
            all
          </button>
        )}
      </div>
    )
  if (row.type === 'alike') {
    const has = row.alike.files.some((f) => f.path === current)
    const one = row.alike.files.length === 1
    return (
      <div className="alike-row">
        <button
          type="button"
          className="twist"
          tabIndex={-1}
          aria-label={`${row.open ? 'Shut' : 'Open'} ${row.alike.label}, ${one ? '1 file' : `${row.alike.files.length} alike`}`}
          aria-expanded={row.open}
          onClick={() => onToggle(!row.open)}
        >
          <Icon name={row.open ? 'down' : 'right'} className="dimmer" />
        </button>
        <a
          className={`file alike inset-focus${row.left === 0 ? ' seen' : ''}`}
          href={hrefOf(row.exemplar.path)}
          data-row={row.id}
          tabIndex={tabIndex}
          aria-current={has && !row.open ? 'true' : undefined}
          title={
            one ? row.exemplar.path : `${row.alike.files.length} files in which the same changed; one of them is shown`
          }
          onFocus={onFocus}
          onKeyDown={onKeyDown}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey) return
            event.preventDefault()
            onSelect(row.exemplar.path)
          }}
        >
          {row.alike.files.some((f) => f.alsoOnTrunk) && (
            <Icon name="overlap" className="wait" label="also changed on main" />
          )}
          <span className="cut">{row.alike.label}</span>
          <span className="tag">{one ? '1 file' : `${row.alike.files.length.toLocaleString('en-US')} alike`}</span>
          <Seen viewed={row.left === 0 ? 'yes' : row.left < row.alike.files.length ? 'some' : 'no'} />
        </a>
      </div>
    )
  }
  return (
    <FileRow
      file={row.file}
      short={name.get(row.file.path) ?? row.file.path}
      deep={row.deep}
      id={row.id}
      current={row.file.path === current}
      tabIndex={tabIndex}
      flags={flags}
      hrefOf={hrefOf}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      onSelect={onSelect}
    />
  )
}

/** A tag longer than this would leave no room for the name. */
const SHORT = 16

const tagOf = (file: FileChange): string | null => {
  if (file.missing !== null) return 'cannot be read'
  if (!file.included) return 'left out'
  if (file.declinedBefore) return 'declined before'
  const words = file.gist ?? (file.kind === 'metadata-only' ? file.fields.join(', ') : null)
  return words !== null && words.length <= SHORT ? words : null
}

interface FileRowProps extends Pick<Props, 'tabIndex' | 'flags' | 'hrefOf' | 'onFocus' | 'onKeyDown' | 'onSelect'> {
  readonly file: FileChange
  readonly short: string
  readonly deep: boolean
  readonly id: string
  readonly current: boolean
}

function FileRow({
  file,
  short,
  deep,
  id,
  current,
  tabIndex,
  flags,
  hrefOf,
  onFocus,
  onKeyDown,
  onSelect,
}: FileRowProps) {
  const tag = tagOf(file)
  const said = [
    file.path,
    tag,
    file.included ? null : tag === 'left out' ? null : 'left out',
    file.foreign ? 'no phase made this' : null,
    file.alsoOnTrunk ? 'also changed on main' : null,
    { yes: 'viewed', no: 'not viewed', some: 'partly viewed' }[file.viewed],
  ]
  return (
    <a
      className={`file inset-focus${file.viewed === 'yes' ? ' seen' : ''}${file.included ? '' : ' out'}${deep ? ' deep' : ''}`}
      href={hrefOf(file.path)}
      data-row={id}
      tabIndex={tabIndex}
      aria-current={current ? 'true' : undefined}
      aria-label={said.filter(Boolean).join(', ')}
      title={showPath(file.path)}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey) return
        event.preventDefault()
        onSelect(file.path)
      }}
    >
      {file.missing !== null && <Icon name="cannot" className="stop" />}
      {file.alsoOnTrunk && <Icon name="overlap" className="wait" />}
      {flags && file.foreign && !file.alsoOnTrunk && <Icon name="flag" className="wait" />}
      <span className="cut">{showPath(short)}</span>
      {tag && <span className="tag">{tag}</span>}
      <Seen viewed={file.viewed} />
    </a>
  )
}

function Seen({ viewed }: { readonly viewed: FileChange['viewed'] }) {
  if (viewed === 'yes') return <Icon name="check" className="dimmer" />
  return <Icon name={viewed === 'some' ? 'needs' : 'dot'} className="dim" />
}
