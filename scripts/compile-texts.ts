import type { Plugin } from 'vite'
import { compile } from '../src/texts/compile.ts'

/**
 * Compiles the ICU messages of `src/texts/<language>/*.json` for the browser, and removes the compiler from the build: the
 * application contains tokens, and no parser.
 */
export const compileTexts = (): Plugin => ({
  name: 'compile-texts',
  enforce: 'pre',
  load: {
    filter: { id: /\/src\/texts\/compile\.ts$/ },
    handler: () => 'export const compile = (messages) => messages',
  },
  transform: {
    filter: { id: /\/src\/texts\/[^/]+\/[^/]+\.json$/ },
    handler: (code) => ({ code: JSON.stringify(compile(JSON.parse(code))), map: null }),
  },
})
