import { AppError } from '../errors/index.ts'
import { methods } from './methods.ts'
import type { Caller, Handlers, Method, Reply } from './types.ts'

interface Port {
  readonly handlers: Handlers
  /** Called with what must not cross the wire: bugs and causes. Returns a reference to name to the person. */
  readonly report: (error: unknown, method: string) => string
  /**
   * Whether results are parsed before they are sent; default true. A door in the core's own process that prints what it gets
   * may go without: the handler's type says as much, and a parse of 2,000 files costs more than reading them.
   */
  readonly checkResults?: boolean
}

const isMethod = (name: string): name is Method => Object.hasOwn(methods, name)

/**
 * The only road from bytes to a handler: own-property look-up, strict parse, run, parse the result, envelope.
 * Never throws and never rejects: a failure comes back as the catalogue's wire form.
 */
export async function dispatch(port: Port, method: string, raw: unknown, caller: Caller): Promise<Reply> {
  const refuse = (error: AppError): Reply => ({ ok: false, error: error.toWire() })
  try {
    if (!isMethod(method))
      return refuse(new AppError('ERR_BAD_REQUEST', { method, issues: ['there is no such method'] }))
    const params = methods[method].params.safeParse(raw)
    if (!params.success) {
      const issues = params.error.issues.map((i) => `${i.path.join('.') || 'params'}: ${i.message}`)
      return refuse(new AppError('ERR_BAD_REQUEST', { method, issues }))
    }
    const run = port.handlers[method] as (params: unknown, caller: Caller) => unknown
    const result = await run(params.data, caller)
    return { ok: true, result: port.checkResults === false ? result : methods[method].result.parse(result) }
  } catch (error) {
    if (error instanceof AppError) {
      if (error.cause !== undefined) port.report(error, method)
      return refuse(error)
    }
    return refuse(new AppError('ERR_INTERNAL', { reference: port.report(error, method) }))
  }
}
