import { randomBytes } from 'node:crypto'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { Caller } from '../../shared/contract/index.ts'
import type { Core } from '../core/createCore.ts'
import type { Door } from '../host/door.ts'
import { Failure, failureText } from './failure.ts'
import { candidateUri, documentUri, listResources, readResource, TEMPLATES } from './resources.ts'
import { TOOLS, type ToolContext } from './tools.ts'

export interface McpSetup {
  readonly core: Core
  readonly door: Door
  readonly repoId: string
  readonly version: string
  /** Who writes; without it the client's own name. */
  readonly actor: string | undefined
  /** What tells this agent's writes from those of another run of the same client; made up where it is not given. */
  readonly session: string | undefined
}

const INSTRUCTIONS =
  'Documents are files on the main branch of a git repository. Fetch, edit, publish at the version you fetched. A merge-candidate means somebody wrote meanwhile: nothing of yours was written yet.'

/** An MCP server over one opened repository. Connect it to a transport. */
export function createMcpServer(setup: McpSetup): Server {
  const { core, door, repoId } = setup
  const session = setup.session ?? randomBytes(6).toString('hex')
  const server = new Server(
    { name: 'daybreak', version: setup.version },
    {
      capabilities: { tools: {}, resources: { subscribe: true, listChanged: true } },
      instructions: INSTRUCTIONS,
    },
  )
  const context = (): ToolContext => {
    const caller: Caller = { via: 'mcp', actor: setup.actor ?? server.getClientVersion()?.name ?? 'unknown' }
    return {
      repoId,
      session,
      caller,
      async call(method, params) {
        const reply = await door.call(method, params, caller)
        if (!reply.ok) throw new Failure(reply.error)
        return reply.result as never
      },
    }
  }

  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: TOOLS.map(({ run: _, ...tool }) => tool),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = TOOLS.find((one) => one.name === params.name)
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `there is no tool ${params.name}`)
    try {
      const { text, structured } = await tool.run(context(), params.arguments ?? {})
      return { content: [{ type: 'text', text }], structuredContent: structured }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const { code, message, suggestions, data } = error.wire
      const structuredContent = { status: 'error', code, message, suggestions, data }
      return { isError: true, content: [{ type: 'text', text: failureText(error.wire) }], structuredContent }
    }
  })

  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) => listResources(context(), params?.cursor ?? null))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, async () => ({ resourceTemplates: TEMPLATES }))
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) => {
    try {
      const found = await readResource(context(), params.uri)
      if (found === null) throw new McpError(ErrorCode.InvalidParams, `there is no resource ${params.uri}`)
      return found
    } catch (error) {
      if (error instanceof Failure) throw new McpError(ErrorCode.InvalidParams, error.message, error.wire)
      throw error
    }
  })

  const subscribed = new Set<string>()
  server.setRequestHandler(SubscribeRequestSchema, async ({ params }) => {
    subscribed.add(params.uri)
    return {}
  })
  server.setRequestHandler(UnsubscribeRequestSchema, async ({ params }) => {
    subscribed.delete(params.uri)
    return {}
  })
  const stop = core.subscribe((event, payload) => {
    if (event !== 'repo.changed' || !('what' in payload)) return
    void announce(server, payload.what, subscribed).catch(() => {
      // The client is gone.
    })
  })
  server.onclose = stop
  return server
}

/** Tells the client what may have changed: the list, and each resource that it subscribed to. */
async function announce(server: Server, what: readonly string[], subscribed: ReadonlySet<string>): Promise<void> {
  const documents = what.includes('refs')
  const candidates = what.includes('candidates') || what.includes('history')
  if (!documents && !candidates) return
  await server.sendResourceListChanged()
  const touched = [...subscribed].filter((uri) =>
    uri.startsWith(documentUri('')) ? documents : candidates && uri.startsWith(candidateUri('')),
  )
  for (const uri of touched) await server.sendResourceUpdated({ uri })
}
