import type { FileReview, FileSide, Review } from '../../../shared/model/index.ts'
import { sizeText } from '../../ui/size.ts'
import { ChangeBar } from './ChangeBar.tsx'

interface Props {
  readonly review: Review
  readonly file: FileReview
  readonly walking: boolean
}

/** What has no text: images side by side, anything else by its size, mode and id. */
export function BinaryView({ review, file, walking }: Props) {
  const both = file.old !== null && file.new !== null
  return (
    <>
      <ChangeBar review={review} file={file} changes={file.raw} at={0} walking={walking} />
      <div className={both ? 'cols blobs' : 'blobs'}>
        {file.old && <Side side={file.old} title={`Before, ${review.trunk.branch}`} />}
        {file.new && <Side side={file.new} title={`After, ${review.run.branch}`} />}
      </div>
    </>
  )
}

function Side({ side, title }: { readonly side: FileSide; readonly title: string }) {
  return (
    <figure className="blob">
      <figcaption className="col-head">
        <span className="cut">{title}</span>
        <span className="grow" />
        <span className="nowrap">{sizeText(side.size)}</span>
        <code>{side.oid.slice(0, 7)}</code>
      </figcaption>
      {side.image ? (
        <div className="picture">
          <img src={side.image} alt={title} />
        </div>
      ) : (
        <p className="whole">
          {side.mode === '160000' ? `Submodule at ${side.oid}` : `Not shown as text: ${sizeText(side.size)} of bytes.`}
        </p>
      )}
    </figure>
  )
}
