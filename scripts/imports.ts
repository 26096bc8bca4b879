import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { checkImports } from './importRules.ts'

/** The project's own sources by path from its root, tests and their helpers (`testing/`) left out: they may look anywhere. */
export function projectSources(root: string): Map<string, string> {
  const files = new Map<string, string>()
  for (const folder of ['shared', 'electron', 'renderer'].filter((name) => existsSync(join(root, name))))
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.tsx?$/.test(entry.name) || /\.test\.tsx?$/.test(entry.name)) continue
      if (entry.parentPath.endsWith(`${sep}testing`)) continue
      const file = join(entry.parentPath, entry.name)
      files.set(relative(root, file).split(sep).join('/'), readFileSync(file, 'utf8'))
    }
  return files
}

if (import.meta.main) {
  const { looked, violations } = checkImports(projectSources(resolve(import.meta.dirname, '..')))
  for (const { file, imported, rule } of violations) console.error(`${file} imports ${imported}: ${rule}`)
  console.log(`${looked} files looked at`)
  process.exitCode = violations.length > 0 || looked === 0 ? 1 : 0
}
