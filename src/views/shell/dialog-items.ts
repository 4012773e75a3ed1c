import type { LucideIcon } from 'lucide-react'
import {
  ArrowLeftRight,
  Bell,
  Bookmark,
  ChartColumn,
  Clock,
  Eraser,
  KeyRound,
  MessagesSquare,
  Package,
  Plug,
  Radio,
  ScrollText,
  ShieldCheck,
  SpellCheck,
  Split,
  Store,
  Users,
  UserX,
  Webhook,
  Zap,
} from 'lucide-react'
import { can } from '../../domain/session/permissions.ts'
import type { DialogRequest } from '../../machines/shell/dialog.ts'
import type { AuthUser } from '../../schemas/auth.ts'
import type { t } from '../../texts/shell-on-demand.ts'

export type DialogItem = {
  /** The group of the palette. */
  group: 'inbox' | 'settings'
  icon: LucideIcon
  text: Parameters<typeof t>[0]
  request: (user: AuthUser) => DialogRequest
}

/** The dialogs that both the account menu and the palette open. Each is offered to those who may open the dialog. */
export const workDialogs: readonly DialogItem[] = [
  { group: 'inbox', icon: MessagesSquare, text: 'shell.comments', request: () => ({ name: 'comments', input: {} }) },
  { group: 'inbox', icon: Radio, text: 'shell.liveSale', request: () => ({ name: 'liveSale' }) },
  { group: 'inbox', icon: Zap, text: 'shell.savedReplies', request: () => ({ name: 'savedReplyManager' }) },
  {
    group: 'inbox',
    icon: Bookmark,
    text: 'shell.savedFilters',
    request: () => ({ name: 'savedFilterManager', input: { values: null } }),
  },
  { group: 'settings', icon: Bell, text: 'shell.noticesTitle', request: () => ({ name: 'notifications' }) },
  { group: 'inbox', icon: Clock, text: 'shell.businessHours', request: () => ({ name: 'businessHours' }) },
  { group: 'inbox', icon: SpellCheck, text: 'shell.faqMatching', request: () => ({ name: 'faqMatching' }) },
  { group: 'inbox', icon: Package, text: 'shell.products', request: () => ({ name: 'productManager' }) },
  { group: 'inbox', icon: Split, text: 'shell.assignmentRules', request: () => ({ name: 'assignmentRules' }) },
  { group: 'inbox', icon: Users, text: 'shell.staff', request: () => ({ name: 'staff' }) },
  { group: 'inbox', icon: Plug, text: 'shell.apiKeys', request: () => ({ name: 'apiKeys' }) },
  { group: 'inbox', icon: Webhook, text: 'shell.webhooks', request: () => ({ name: 'webhooks' }) },
  { group: 'inbox', icon: Store, text: 'shell.shops', request: () => ({ name: 'shops' }) },
  {
    group: 'inbox',
    icon: ArrowLeftRight,
    text: 'shell.dataTransfer',
    request: (user) => ({ name: 'dataTransfer', input: { mayImport: can(user, 'imports.manage') } }),
  },
  { group: 'inbox', icon: UserX, text: 'shell.removedClients', request: () => ({ name: 'removedClients' }) },
  { group: 'inbox', icon: ChartColumn, text: 'shell.reports', request: () => ({ name: 'reports' }) },
  { group: 'inbox', icon: ScrollText, text: 'shell.auditLog', request: () => ({ name: 'auditLog' }) },
]

/** The same for the person's own account and device. */
export const accountDialogs: readonly DialogItem[] = [
  {
    group: 'settings',
    icon: KeyRound,
    text: 'shell.changePassword',
    request: ({ email }) => ({ name: 'changePassword', input: { email, purpose: 'own' } }),
  },
  {
    group: 'settings',
    icon: ShieldCheck,
    text: 'shell.secondFactor',
    request: () => ({ name: 'secondFactor', input: { at: 'menu' } }),
  },
  { group: 'settings', icon: Eraser, text: 'shell.clearDevice', request: () => ({ name: 'clearDevice' }) },
]
