import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compileTexts } from './scripts/compile-texts.ts'

const server = `http://localhost:${process.env['PORT'] ?? 4000}`

const leftOut = fileURLToPath(new URL('src/services/session/supabase-left-out.ts', import.meta.url))

export default defineConfig({
  plugins: [react(), tailwindcss(), compileTexts()],
  resolve: {
    // Supabase's client brings them with it, 15 kB of the first load, and nothing here calls them.
    alias: [
      { find: /^@supabase\/(postgrest|storage|functions)-js$/, replacement: leftOut },
      // Passkeys, which its auth-js imports from its own folder.
      { find: /^\.\/lib\/webauthn$/, replacement: leftOut },
    ],
  },
  build: { target: 'es2023', sourcemap: true, manifest: true, modulePreload: { polyfill: false } },
  server: {
    port: 5173,
    proxy: {
      '/api': server,
      '/auth/v1': server,
      '/webhooks': server,
      '/sandbox': server,
      '/pictures': server,
      '/realtime/v1': { target: server, ws: true },
    },
  },
})
