import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const server = `http://localhost:${process.env['PORT'] ?? 4000}`

export default defineConfig({
  plugins: [react(), tailwindcss()],
  build: { target: 'es2023', sourcemap: true, manifest: true, modulePreload: { polyfill: false } },
  server: {
    port: 5173,
    proxy: {
      '/api': server,
      '/auth/v1': server,
      '/webhooks': server,
      '/sandbox': server,
      '/realtime/v1': { target: server, ws: true },
    },
  },
})
