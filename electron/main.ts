import { start } from './shell/start.ts'

start()
