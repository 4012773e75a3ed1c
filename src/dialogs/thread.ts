import type { DialogEntries } from './entry.ts'

export const threadDialogs = {
  image: {
    loadTitle: async () => (await import('../texts/thread-on-demand.ts')).t('thread.picture'),
    numbersInReports: [],
    loadView: () => import('../views/thread/ImageDialog.tsx'),
    loadMachine: async () => (await import('../machines/thread/image-gallery.ts')).imageGalleryMachine,
  },
} satisfies Partial<DialogEntries>
