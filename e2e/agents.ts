import { resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import type { TestHome, TestRepo } from './support/index.ts'

const DAYBREAK = resolve(import.meta.dirname, '../bin/daybreak')

interface Answered {
  readonly text: string
  readonly structured: Record<string, unknown>
  readonly failed: boolean
}

/** A candidate as an agent gets it. */
export interface Met {
  readonly id: string
  readonly state: string
  readonly publishAtVersion: number
  readonly body: string
  readonly structured: readonly { readonly index: number; readonly kind: string }[]
  readonly answer: { readonly by: string; readonly version: number | null } | null
}

/** An agent: an MCP client of its own, on a process of its own. */
export interface Agent {
  /** Calls a tool. */
  call(tool: string, args: Record<string, unknown>): Promise<Answered>
  /** The document's version and body as they are now. */
  fetch(url: string): Promise<{ readonly version: number; readonly body: string }>
  /** Publishes; throws where it is not ok. */
  publish(url: string, body: string, version: number, message?: string): Promise<number>
  /** Publishes against a head that has moved on, and gives the candidate. */
  meet(url: string, body: string, version: number, message?: string): Promise<Met>
  show(candidate: string): Promise<Met>
  /** Subscribes to a resource; resolves when it is told that the resource has changed. */
  follow(uri: string): Promise<{ readonly updated: Promise<string> }>
  close(): Promise<void>
}

/** Starts an agent on a repository as its host does: by `daybreak mcp` over stdio. */
export async function startAgent(name: string, repo: Pick<TestRepo, 'dir'>, home: TestHome): Promise<Agent> {
  const client = new Client({ name, version: '1' })
  const env = Object.fromEntries(
    Object.entries(home.env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  )
  await client.connect(new StdioClientTransport({ command: DAYBREAK, args: ['mcp', '--repo', repo.dir], env }))
  const call: Agent['call'] = async (tool, args) => {
    const answer = await client.callTool({ name: tool, arguments: args })
    const [first] = answer.content as { text: string }[]
    const structured = (answer.structuredContent ?? {}) as Record<string, unknown>
    return { text: first?.text ?? '', structured, failed: answer.isError === true }
  }
  const write = (url: string, body: string, version: number, message: string | undefined) =>
    call('mark_publish', { url, body, expected_version: version, ...(message === undefined ? {} : { message }) })
  return {
    call,
    async fetch(url) {
      const { structured } = await call('mark_fetch', { url })
      return { version: Number(structured.version), body: String(structured.body) }
    },
    async publish(url, body, version, message) {
      const { structured, text } = await write(url, body, version, message)
      if (structured.status !== 'ok') throw new Error(`not published: ${text}`)
      return Number(structured.version)
    },
    async meet(url, body, version, message) {
      const { structured, text } = await write(url, body, version, message)
      if (structured.status !== 'merge-candidate') throw new Error(`no candidate: ${text}`)
      return structured.candidate as Met
    },
    async show(candidate) {
      const { structured } = await call('candidate_show', { candidate_id: candidate })
      return (structured.candidate ?? structured) as unknown as Met
    },
    async follow(uri) {
      const updated = new Promise<string>((told) => {
        client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
          if (params.uri === uri) told(uri)
        })
      })
      await client.subscribeResource({ uri })
      return { updated }
    },
    close: () => client.close(),
  }
}
