import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { appHome } from '../host/home.ts'

// Compiled code is kept in the app's own folder, not in the shared temporary folder, where another user could plant some.
enableCompileCache(join(appHome(process.env), 'cache', 'code'))
const { main } = await import('./run.ts')
await main()
