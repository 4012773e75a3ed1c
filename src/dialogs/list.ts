import { fromPromise } from 'xstate'
import type { DialogEntries } from './entry.ts'

export const listDialogs = {
  assignmentRules: {
    loadTitle: async () => (await import('../texts/list-on-demand.ts')).t('list.rulesTitle'),
    numbersInReports: [],
    loadView: () => import('../views/list/AssignmentRulesDialog.tsx'),
    loadMachine: async (services) => {
      const [{ assignmentRulesMachine }, settings] = await Promise.all([
        import('../machines/list/assignment-rules.ts'),
        services.loadBusinessSettings(),
      ])
      return assignmentRulesMachine.provide({
        actors: {
          loadSettings: fromPromise(({ signal }) => settings.loadRules(signal)),
          saveSettings: fromPromise(({ input }) => settings.saveRules(input)),
        },
      })
    },
  },
  snooze: {
    loadTitle: async () => (await import('../texts/list-on-demand.ts')).t('list.snooze'),
    numbersInReports: [],
    loadView: () => import('../views/list/SnoozeDialog.tsx'),
    loadMachine: async () => (await import('../machines/list/state-dialog.ts')).stateDialogMachine,
  },
  assign: {
    loadTitle: async () => (await import('../texts/list-on-demand.ts')).t('list.assign'),
    numbersInReports: [],
    loadView: () => import('../views/list/AssignDialog.tsx'),
    loadMachine: async () => (await import('../machines/list/state-dialog.ts')).stateDialogMachine,
  },
  labels: {
    loadTitle: async () => (await import('../texts/list-on-demand.ts')).t('list.labels'),
    numbersInReports: [],
    loadView: () => import('../views/list/LabelsDialog.tsx'),
    loadMachine: async (services) => {
      const [{ labelPickerMachine }, labels] = await Promise.all([
        import('../machines/list/label-picker.ts'),
        services.loadLabelService(),
      ])
      return labelPickerMachine.provide({
        actors: {
          createLabel: fromPromise(({ input }) => labels.saveLabel(input)),
          changeClientLabels: fromPromise(({ input }) => labels.changeClientLabels(input)),
        },
      })
    },
  },
  labelManager: {
    loadTitle: async () => (await import('../texts/list-on-demand.ts')).t('list.manageLabels'),
    numbersInReports: [],
    loadView: () => import('../views/list/LabelManagerDialog.tsx'),
    loadMachine: async (services) => {
      const [{ labelManagerMachine }, { labelFormMachine }, labels] = await Promise.all([
        import('../machines/list/label-manager.ts'),
        import('../machines/list/label-form.ts'),
        services.loadLabelService(),
      ])
      return labelManagerMachine.provide({
        actors: {
          labelForm: labelFormMachine.provide({
            actors: { saveLabel: fromPromise(({ input }) => labels.saveLabel(input)) },
          }),
          loadLabelUsage: fromPromise(({ input, signal }) => labels.loadLabelUsage(input, signal)),
          deleteLabel: fromPromise(({ input }) => labels.deleteLabel(input)),
        },
      })
    },
  },
  savedFilterManager: {
    loadTitle: async () => (await import('../texts/list-on-demand.ts')).t('list.savedFilters'),
    numbersInReports: [],
    loadView: () => import('../views/list/SavedFilterManagerDialog.tsx'),
    loadMachine: async (services) => {
      const [{ savedFilterManagerMachine }, { savedFilterFormMachine }, filters] = await Promise.all([
        import('../machines/list/saved-filter-manager.ts'),
        import('../machines/list/saved-filter-form.ts'),
        services.loadSavedFilterService(),
      ])
      return savedFilterManagerMachine.provide({
        actors: {
          savedFilterForm: savedFilterFormMachine.provide({
            actors: { saveFilter: fromPromise(({ input }) => filters.saveFilter(input)) },
          }),
          deleteFilter: fromPromise(({ input }) => filters.deleteFilter(input)),
        },
      })
    },
  },
} satisfies Partial<DialogEntries>
