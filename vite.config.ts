import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, normalizePath } from 'vite'
import { compileTexts } from './scripts/compile-texts.ts'
import { screenModules } from './scripts/screens.ts'
import { serviceWorker } from './scripts/service-worker.ts'

const server = `http://localhost:${process.env['PORT'] ?? 4000}`

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url))
const leftOut = pathOf('src/services/session/supabase-left-out.ts')

/** One chunk with these modules and what they import. A chunk of a higher priority takes its modules first. */
const chunk = (name: string, modules: readonly string[], priority: number) => {
  const ids = new Set(modules.map((file) => normalizePath(pathOf(file))))
  return { name, test: (id: string) => ids.has(id), priority }
}

export default defineConfig({
  plugins: [react(), tailwindcss(), compileTexts(), serviceWorker()],
  resolve: {
    // Supabase's client brings them with it, 15 kB of the first load, and nothing here calls them.
    alias: [
      { find: /^@supabase\/(postgrest|storage|functions)-js$/, replacement: leftOut },
      // React has the hook itself: the shim for React 17 would come with @xstate/react.
      { find: /^use-sync-external-store\/shim$/, replacement: 'react' },
      { find: /^use-sync-external-store\/shim\/with-selector$/, replacement: 'use-sync-external-store/with-selector' },
      // Passkeys, which its auth-js imports from its own folder.
      { find: /^\.\/lib\/webauthn$/, replacement: leftOut },
    ],
  },
  build: {
    target: 'es2023',
    sourcemap: true,
    manifest: true,
    modulePreload: {
      polyfill: false,
      // Without the script and the style of the page, which it has loaded when it imports on demand.
      resolveDependencies: (_, files) => files.filter((file) => !file.startsWith('assets/index-')),
    },
    rolldownOptions: {
      output: {
        // The first load names every chunk. A character fewer in each saves 0.1 kB.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        // Many small chunks take more requests and compress worse: each screen has one.
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], priority: 4 },
            // Both screens need fields and icons. Without this the inbox would load the sign-in form with them.
            chunk(
              'parts',
              ['src/views/components/Field.tsx', 'node_modules/lucide-react/dist/esm/createLucideIcon.mjs'],
              3,
            ),
            chunk('login', screenModules['/login'], 2),
            chunk('inbox', screenModules['/'], 1),
            // Before the groups below, which share code with it and would otherwise be loaded for that code.
            chunk('conversation', ['src/views/thread/OpenThread.tsx'], 0.5),
            chunk('toaster', ['src/views/shell/Toaster.tsx'], 0.4),
            // Small, so that they arrive before the rows below them are read.
            chunk('filters', ['src/views/list/ListFilters.tsx', 'src/views/list/ListHeadTools.tsx'], 0.6),
            // What every inbox needs after its first rows.
            chunk(
              'later',
              [
                'src/compose-answers.ts',
                'src/compose-attached-files.ts',
                'src/compose-client-suggestions.ts',
                'src/compose-colleagues.ts',
                'src/compose-notifications.ts',
                'src/compose-reply-help.ts',
                'src/compose-summary-check.ts',
                'src/services-on-demand.ts',
                'src/views/client/DetailsPane.tsx',
                'src/views/list/EmptyList.tsx',
                'src/views/list/RowActions.tsx',
                'src/views/list/RowDecision.tsx',
                'src/views/list/RowDue.tsx',
                'src/views/list/RowLabels.tsx',
                'src/views/list/RowSeen.tsx',
                'src/views/list/ViewRail.tsx',
                'src/views/send/AttachButtons.tsx',
                'src/views/send/AttachedFiles.tsx',
                'src/views/send/ReplyHelp.tsx',
                'src/views/send/UnsentButton.tsx',
                'src/views/shell/AlarmBell.tsx',
                'src/views/shell/ConversationKeys.tsx',
                'src/views/thread/MessageParts.tsx',
              ],
              0.3,
            ),
            {
              name: 'search',
              test: /src\/(compose-messages-around|(machines|domain|views)\/thread\/(messages-around|MessagesAround)|services\/shell\/search|schemas\/search)\.tsx?$/,
              priority: 0,
            },
            // Shared by views that load on demand. The first load names each of their chunks.
            { name: 'icons', test: /lucide-react\/dist\/esm\/icons\//, minShareCount: 2, priority: 0 },
            { name: 'schemas', test: /\/src\/schemas\//, minShareCount: 2, priority: 0 },
          ],
        },
      },
    },
  },
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
