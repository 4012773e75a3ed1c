/**
 * The modules that each screen imports on demand when it is opened, besides `src/main.tsx`. Code that these modules
 * import statically belongs to the first load of the screen; everything else is loaded on demand.
 */
export const screenModules = {
  '/login': ['src/views/session/LoginScreen.tsx'],
  '/': ['src/compose-session.ts', 'src/views/shell/Inbox.tsx', 'src/views/shell/SessionInUrl.tsx'],
} as const
