// Says in one line what is missing, before anything is loaded that an old Node cannot read or that would crash it.
// Written for every Node there is: better-sqlite3 needs Node-API 10, which Node 24 has.
if (!(Number(process.versions.napi) >= 10)) {
  console.error(`daybreak: Node 24 or newer is needed; this is ${process.version}`)
  process.exit(1)
}
if (!require('node:fs').existsSync(require('node:path').join(__dirname, '../dist/electron/cli.js'))) {
  console.error('daybreak: not built yet; run `npm ci && npm run build` in its folder')
  process.exit(1)
}
import('../dist/electron/cli.js')
