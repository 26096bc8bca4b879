import { builtinModules } from 'node:module'
import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type UserConfig } from 'vite'

const root = import.meta.dirname
const nodeBuiltins = [...builtinModules, ...builtinModules.map((name) => `node:${name}`)]

/** The page: what both hosts serve. */
const renderer: UserConfig = {
  root: resolve(root, 'renderer'),
  base: './',
  plugins: [react()],
  worker: { format: 'es' },
  build: { outDir: resolve(root, 'dist/renderer'), emptyOutDir: true, chunkSizeWarningLimit: 8000 },
}

/** Everything that runs on Node: all libraries bundled but the native one, so that start-up reads few files. */
const electron: UserConfig = {
  publicDir: false,
  ssr: { noExternal: true, external: ['better-sqlite3', 'electron'] },
  build: {
    ssr: true,
    target: 'node24',
    outDir: resolve(root, 'dist/electron'),
    emptyOutDir: true,
    sourcemap: true,
    rollupOptions: {
      input: {
        main: resolve(root, 'electron/main.ts'),
        cli: resolve(root, 'electron/cli/main.ts'),
        textWorker: resolve(root, 'electron/core/conflicts/text/worker.ts'),
        lookupWorker: resolve(root, 'electron/core/documents/read/textWorker.ts'),
      },
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
}

/** A sandboxed preload must be one CommonJS file. */
const preload: UserConfig = {
  publicDir: false,
  build: {
    target: 'node24',
    outDir: resolve(root, 'dist/preload'),
    emptyOutDir: true,
    lib: { entry: resolve(root, 'electron/preload.ts'), formats: ['cjs'], fileName: () => 'preload.cjs' },
    rollupOptions: { external: ['electron', ...nodeBuiltins] },
  },
}

export default defineConfig(({ mode }) => ({ electron, preload })[mode] ?? renderer)
