import { onDemand } from '../components/on-demand.tsx'

/** Loaded ahead by whatever opens it: people type a name as soon as they pressed it. */
export const LinkClientDialog = onDemand(() => import('./LinkClientDialog.tsx'))
