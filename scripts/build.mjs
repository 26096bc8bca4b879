// `npm run build`.
import { build, giveUp } from './setup.mjs'

await build().catch(giveUp)
