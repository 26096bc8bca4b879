import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { checkImports, importsOf } from './importRules.ts'
import { projectSources } from './imports.ts'

const rulesBroken = (files: Record<string, string>) =>
  checkImports(new Map(Object.entries(files))).violations.map(({ file, rule }) => `${file}: ${rule}`)

test('the project keeps its directions, and was looked at', () => {
  const { looked, violations } = checkImports(projectSources(resolve(import.meta.dirname, '..')))
  expect(violations).toEqual([])
  expect(looked).toBeGreaterThan(100)
})

test.each([
  ['shared/base/x.ts', "import '../model/y.ts'"],
  ['shared/model/x.ts', "import type { A } from '../errors/y.ts'"],
  ['shared/merge/x.ts', "export * from '../contract/y.ts'"],
  ['shared/errors/x.ts', "export { a } from '../contract/y.ts'"],
  ['shared/contract/x.ts', "import '../../electron/core/y.ts'"],
  ['electron/core/x.ts', "import '../serve/y.ts'"],
  ['electron/core/git/x.ts', "await import('../../cli/y.ts')"],
  ['electron/core/x.ts', "import type { Log } from '../host/y.ts'"],
  ['electron/shell/x.ts', "import '../serve/y.ts'"],
  ['electron/serve/x.ts', "import '../shell/y.ts'"],
  ['electron/host/x.ts', "import '../cli/y.ts'"],
  ['electron/main.ts', "import './core/y.ts'"],
  ['renderer/app/x.ts', "import '../../electron/core/y.ts'"],
])('%s may not: %s', (file, source) => {
  expect(rulesBroken({ [file]: source })).toEqual([expect.stringContaining(`${file}: `)])
  expect(rulesBroken({ [file]: source })[0]).toContain('may import only')
})

test.each([
  ['electron/core/usecases/x.ts', "import { simpleGit } from 'simple-git'", 'may import simple-git'],
  ['electron/core/usecases/x.ts', "import Database from 'better-sqlite3'", 'may import better-sqlite3'],
  ['renderer/features/a/x.tsx', "import * as monaco from 'monaco-editor/editor'", 'may import monaco-editor'],
  ['electron/core/x.ts', "import { app } from 'electron'", 'may import electron'],
  ['electron/cli/x.ts', "const electron = await import('electron')", 'may import electron'],
  ['renderer/app/x.ts', "import type { App } from 'electron'", 'may import electron'],
  ['electron/cli/x.ts', "import { WebSocketServer } from 'ws'", 'may import ws'],
  ['electron/core/x.ts', "import { useState } from 'react'", 'may import react'],
  ['shared/merge/x.ts', "import * as z from 'zod'", 'may import zod'],
  ['shared/model/x.ts', "import { readFileSync } from 'node:fs'", 'no Node here'],
  ['renderer/state/x.ts', "import { join } from 'node:path'", 'no Node here'],
  ['shared/model/x.ts', "import { parse } from 'yaml'", 'no package but zod'],
  ['renderer/features/a/x.ts', "import '../b/y.ts'", 'features do not import each other'],
])('%s may not: %s (%s)', (file, source, rule) => {
  expect(rulesBroken({ [file]: source })).toEqual([expect.stringContaining(rule)])
})

test('a cycle is found, however long, also one for types only', () => {
  const broken = rulesBroken({
    'shared/model/a.ts': "import './b.ts'",
    'shared/model/b.ts': "export type { C } from './c.ts'",
    'shared/model/c.ts': "import type { A } from './a.ts'",
    'shared/model/d.ts': "import './a.ts'",
  })
  expect(broken).toEqual([expect.stringContaining('a cycle')])
})

test('what is allowed is not reported', () => {
  expect(
    rulesBroken({
      'shared/errors/x.ts': "import * as z from 'zod'\nimport type { Refusal } from '../model/y.ts'",
      'electron/core/git/x.ts': "import { simpleGit } from 'simple-git'\nimport { spawn } from 'node:child_process'",
      'electron/cli/x.ts': "import { serve } from '../serve/serve.ts'",
      'renderer/features/a/x.tsx': "import './y.css'\nimport { useState } from 'react'\nimport '../../ui/Icon.tsx'",
      'renderer/editor/x.ts': "import Worker from 'monaco-editor/editor/editor.worker?worker'",
    }),
  ).toEqual([])
})

test('words in comments and strings are no imports', () => {
  const source = "// import 'electron'\nconst text = \"import 'electron'\"\n/* export * from 'ws' */ import './a.ts'"
  expect(importsOf('x.ts', source)).toEqual(['./a.ts'])
})
