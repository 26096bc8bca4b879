const byEnding: Readonly<Record<string, string>> = {
  html: 'html',
  htm: 'html',
  xml: 'xml',
  svg: 'xml',
  md: 'markdown',
  markdown: 'markdown',
  json: 'json',
  jsonl: 'plaintext',
  yml: 'yaml',
  yaml: 'yaml',
  ts: 'typescript',
  tsx: 'typescript',
  js: 'javascript',
  mjs: 'javascript',
  jsx: 'javascript',
  css: 'css',
  py: 'python',
  go: 'go',
  rs: 'rust',
  java: 'java',
  c: 'c',
  h: 'c',
  cpp: 'cpp',
  cs: 'csharp',
  rb: 'ruby',
  php: 'php',
  sh: 'shell',
  sql: 'sql',
  toml: 'ini',
  ini: 'ini',
}

/** Monaco's language for a path, by its ending; plain text where that says nothing. */
export function languageOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return (dot < 0 ? undefined : byEnding[name.slice(dot + 1).toLowerCase()]) ?? 'plaintext'
}
