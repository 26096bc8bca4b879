import type { Resolution } from '../../../shared/model/index.ts'
import { ImageCompare } from './ImageCompare.tsx'
import { SideCard } from './SideCard.tsx'

/** Both sides beside each other; images also over each other. */
export function Previews({ resolution }: { readonly resolution: Resolution }) {
  const { sides, ours, theirs } = resolution
  const pictures = [sides.ours, sides.theirs].flatMap((side) => (side?.image ? [side] : []))
  const comparable = pictures.length === 2
  return (
    <>
      <div className="pair">
        <SideCard which="ours" who={ours} side={sides.ours} base={sides.base} />
        <SideCard which="theirs" who={theirs} side={sides.theirs} base={sides.base} />
      </div>
      {comparable && <ImageCompare resolution={resolution} />}
    </>
  )
}
