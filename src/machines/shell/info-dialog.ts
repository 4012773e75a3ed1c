import { setup } from 'xstate'

declare module './dialog.ts' {
  interface DialogLogics {
    alarms: typeof infoDialogMachine
    clearDevice: typeof infoDialogMachine
    signOut: typeof infoDialogMachine
    shortcuts: typeof infoDialogMachine
  }
}

/** A dialog that only shows information. Stays open until the person dismisses it. */
export const infoDialogMachine = setup({
  types: { events: {} as { type: 'dialog.dismissed' } },
}).createMachine({
  id: 'infoDialog',
  initial: 'open',
  states: {
    open: { on: { 'dialog.dismissed': 'dismissed' } },
    dismissed: { type: 'final' },
  },
})
