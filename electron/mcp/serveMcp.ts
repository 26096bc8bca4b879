import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createMcpServer, type McpSetup } from './server.ts'

/** Serves MCP on these streams until the client closes them. */
export async function serveMcp(setup: McpSetup, input: Readable, output: Writable): Promise<void> {
  const server = createMcpServer(setup)
  const closed = new Promise<void>((resolve) => {
    const before = server.onclose
    server.onclose = () => {
      before?.()
      resolve()
    }
    input.once('end', resolve)
    input.once('close', resolve)
    output.once('error', () => resolve())
  })
  await server.connect(new StdioServerTransport(input, output))
  await closed
  await server.close()
}
