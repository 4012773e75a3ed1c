import * as z from 'zod/mini'
import type { ClientLabelsRequest, SavedLabel, SavedLabelAnswer } from '../../domain/list/label-calls.ts'
import { type Label, type LabelUsage, label, labelUsageAnswer } from '../../schemas/label.ts'
import { type ClientLabels, clientLabelsAnswer } from '../../schemas/labels-of-row.ts'
import { answerOf, id } from '../../schemas/primitives.ts'
import { type Http, rows } from '../http.ts'

const labelPath = (id: string) => `/labels/${encodeURIComponent(id)}`

/** The calls about labels (feature 'labels'). All throw `Failure`. Calls that change data are never aborted. */
export function createLabels(http: Http, log: { warn: (text: string) => void }) {
  const labels = rows(label, log, 'labels')
  const labelsAnswer = answerOf(z.object({ labels }))
  const savedAnswer = answerOf(z.object({ id, labels }))
  return {
    loadLabels: async (signal: AbortSignal): Promise<readonly Label[]> =>
      (await http.get('/labels', { schema: labelsAnswer, signal })).data.labels,

    /** A null id creates a label. */
    saveLabel: async ({ id, body }: SavedLabel): Promise<SavedLabelAnswer> => {
      const options = { schema: savedAnswer, body }
      return (id === null ? await http.post('/labels', options) : await http.put(labelPath(id), options)).data
    },

    /** Returns the labels that are left. */
    deleteLabel: async ({ id }: { id: string }): Promise<readonly Label[]> =>
      (await http.delete(labelPath(id), { schema: labelsAnswer })).data.labels,

    loadLabelUsage: async ({ id }: { id: string }, signal: AbortSignal): Promise<LabelUsage> =>
      (await http.get(`${labelPath(id)}/usage`, { schema: labelUsageAnswer, signal })).data,

    changeClientLabels: async ({ clientId, change }: ClientLabelsRequest): Promise<ClientLabels> =>
      (await http.post(`/clients/${encodeURIComponent(clientId)}/labels`, { schema: clientLabelsAnswer, body: change }))
        .data,
  }
}
