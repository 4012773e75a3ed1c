import { expect, it } from 'vitest'
import type { AuthUser } from '../../../src/schemas/auth.ts'
import { t } from '../../../src/texts/shell-on-demand.ts'
import { accountDialogs, workDialogs } from '../../../src/views/shell/dialog-items.ts'

const user: AuthUser = { id: 's1', email: 'maria@example.com', role: 'agent', permissions: [] }
const own = { email: user.email, purpose: 'own' }

it('each item of the account menu and the palette opens the dialog that it names', () => {
  const opened = [...workDialogs, ...accountDialogs].map(({ text, request }) => [t(text), request(user)])
  expect(opened).toEqual([
    ['Comments', { name: 'comments', input: {} }],
    ['Live sale', { name: 'liveSale' }],
    ['Saved replies', { name: 'savedReplyManager' }],
    ['Saved filters', { name: 'savedFilterManager', input: { values: null } }],
    ['Notifications', { name: 'notifications' }],
    ['Business hours', { name: 'businessHours' }],
    ['FAQ matching', { name: 'faqMatching' }],
    ['Products', { name: 'productManager' }],
    ['Assignment rules', { name: 'assignmentRules' }],
    ['Staff', { name: 'staff' }],
    ['API keys', { name: 'apiKeys' }],
    ['Webhooks', { name: 'webhooks' }],
    ['Shops', { name: 'shops' }],
    ['Import and export', { name: 'dataTransfer', input: { mayImport: false } }],
    ['Deleted clients', { name: 'removedClients' }],
    ['Reports', { name: 'reports' }],
    ['Audit log', { name: 'auditLog' }],
    ['Change password', { name: 'changePassword', input: own }],
    ['Two-step sign-in', { name: 'secondFactor', input: { at: 'menu' } }],
    ['Clear this device', { name: 'clearDevice' }],
  ])
})

it.each([
  [['imports.manage'], true],
  [['data.export'], false],
])('the import and export offers a person with %j to import: %s', (permissions, mayImport) => {
  const item = workDialogs.find(({ text }) => text === 'shell.dataTransfer')
  expect(item?.request({ ...user, permissions })).toEqual({ name: 'dataTransfer', input: { mayImport } })
})
