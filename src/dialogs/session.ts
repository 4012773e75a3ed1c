import { fromPromise } from 'xstate'
import type { DialogEntries } from './entry.ts'

export const sessionDialogs = {
  staff: {
    loadTitle: async () => (await import('../texts/shell-on-demand.ts')).t('shell.staff'),
    numbersInReports: [],
    loadView: () => import('../views/session/StaffDialog.tsx'),
    loadMachine: async (services) => {
      const [{ staffMachine }, { staffFormMachine }, staff] = await Promise.all([
        import('../machines/session/staff.ts'),
        import('../machines/session/staff-form.ts'),
        services.loadStaffManagement(),
      ])
      return staffMachine.provide({
        actors: {
          loadStaff: fromPromise(({ signal }) => staff.loadStaff(signal)),
          resetPassword: fromPromise(({ input }) => staff.resetPassword(input)),
          removeSecondFactor: fromPromise(({ input }) => staff.removeSecondFactor(input)),
          staffForm: staffFormMachine.provide({
            actors: { saveStaff: fromPromise(({ input }) => staff.saveStaff(input)) },
          }),
        },
      })
    },
  },
  apiKeys: {
    loadTitle: async () => (await import('../texts/shell-on-demand.ts')).t('shell.apiKeys'),
    numbersInReports: [],
    loadView: () => import('../views/session/ApiKeysDialog.tsx'),
    loadMachine: async (services) => {
      const [{ apiKeysMachine }, keys] = await Promise.all([
        import('../machines/session/api-keys.ts'),
        services.loadApiKeyService(),
      ])
      return apiKeysMachine.provide({
        actors: {
          loadApiKeys: fromPromise(({ signal }) => keys.loadApiKeys(signal)),
          createApiKey: fromPromise(({ input }) => keys.createApiKey(input)),
          revokeApiKey: fromPromise(({ input }) => keys.revokeApiKey(input)),
        },
      })
    },
  },
  webhooks: {
    loadTitle: async () => (await import('../texts/shell-on-demand.ts')).t('shell.webhooks'),
    numbersInReports: [],
    loadView: () => import('../views/session/WebhooksDialog.tsx'),
    loadMachine: async (services) => {
      const [{ webhooksMachine }, { webhookFormMachine }, { webhookLogMachine }, webhooks] = await Promise.all([
        import('../machines/session/webhooks.ts'),
        import('../machines/session/webhook-form.ts'),
        import('../machines/session/webhook-log.ts'),
        services.loadWebhookService(),
      ])
      return webhooksMachine.provide({
        actors: {
          loadWebhooks: fromPromise(({ signal }) => webhooks.loadWebhooks(signal)),
          deleteWebhook: fromPromise(({ input }) => webhooks.deleteWebhook(input)),
          replaceWebhookSecret: fromPromise(({ input }) => webhooks.replaceWebhookSecret(input)),
          webhookForm: webhookFormMachine.provide({
            actors: { saveWebhook: fromPromise(({ input }) => webhooks.saveWebhook(input)) },
          }),
          webhookLog: webhookLogMachine.provide({
            actors: {
              loadDeliveries: fromPromise(({ input, signal }) => webhooks.loadDeliveries(input, signal)),
              resendDelivery: fromPromise(({ input }) => webhooks.resendDelivery(input)),
              testWebhook: fromPromise(({ input }) => webhooks.testWebhook(input)),
            },
          }),
        },
      })
    },
  },
  auditLog: {
    loadTitle: async () => (await import('../texts/shell-on-demand.ts')).t('shell.auditLog'),
    numbersInReports: [],
    loadView: () => import('../views/session/AuditLogDialog.tsx'),
    loadMachine: async (services) => {
      const [{ auditLogMachine }, audit] = await Promise.all([
        import('../machines/session/audit-log.ts'),
        services.loadAuditLog(),
      ])
      return auditLogMachine.provide({
        actors: {
          loadAudit: fromPromise(({ input, signal }) => audit.loadAudit(input, signal)),
          exportAudit: fromPromise(({ input }) => audit.exportAudit(input)),
        },
      })
    },
  },
  changePassword: {
    loadTitle: async () => (await import('../texts/session-on-demand.ts')).t('session.changePasswordTitle'),
    numbersInReports: [],
    loadView: () => import('../views/session/ChangePasswordDialog.tsx'),
    loadMachine: async (services) => {
      const [{ newPasswordMachine }, account] = await Promise.all([
        import('../machines/session/new-password.ts'),
        services.loadAccount(),
      ])
      return newPasswordMachine.provide({
        actors: { savePassword: fromPromise(({ input }) => account.changePassword(input)) },
      })
    },
  },
  secondFactor: {
    loadTitle: async () => (await import('../texts/session-on-demand.ts')).t('session.factorTitle'),
    numbersInReports: [],
    loadView: () => import('../views/session/SecondFactorDialog.tsx'),
    loadMachine: async (services) => {
      const [{ secondFactorMachine }, account] = await Promise.all([
        import('../machines/session/second-factor.ts'),
        services.loadAccount(),
      ])
      return secondFactorMachine.provide({
        actors: {
          loadSecondFactor: fromPromise(({ signal }) => account.loadSecondFactor(signal)),
          beginEnrolment: fromPromise(({ input }) => account.beginEnrolment(input)),
          confirmEnrolment: fromPromise(({ input }) => account.confirmEnrolment(input)),
          replaceRecoveryCodes: fromPromise(({ input }) => account.replaceRecoveryCodes(input)),
          copyText: fromPromise(({ input }) => account.copyText(input)),
          disableSecondFactor: fromPromise(({ input }) => account.disableSecondFactor(input)),
        },
      })
    },
  },
  signOut: {
    loadTitle: async () => (await import('../texts/session-on-demand.ts')).t('session.signOutTitle'),
    numbersInReports: [],
    loadView: () => import('../views/session/SignOutDialog.tsx'),
    loadMachine: async () => (await import('../machines/shell/info-dialog.ts')).infoDialogMachine,
  },
} satisfies Partial<DialogEntries>
