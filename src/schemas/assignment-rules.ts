import * as z from 'zod/mini'
import { answerOf, count, id } from './primitives.ts'

export const assignmentLimits = { rules: 50 } as const

/**
 * Who gets a conversation that begins to wait without an assignee (feature 'assignment-rules'): one staff member, the
 * present one whose turn it is, the present one with the fewest waiting conversations, or nobody.
 */
export const assignmentActions = ['member', 'rotation', 'least_loaded', 'nobody'] as const

const assignmentRule = z
  .object({
    /** The last message is of this page; null for each page. */
    page_id: z.nullable(id),
    /** The conversation has this label; null for each conversation. */
    label_id: z.nullable(id),
    action: z.enum(assignmentActions),
    /** The staff member of the action 'member', otherwise null. */
    member_id: z.nullable(id),
  })
  .check(
    z.refine(({ action, member_id }) => (action === 'member') === (member_id !== null), 'no member, or one too many'),
  )
export type AssignmentRule = z.infer<typeof assignmentRule>

/** The first rule that fits decides. */
const assignmentRules = z.object({
  rules: z.array(assignmentRule).check(z.maxLength(assignmentLimits.rules)),
  /** The first staff member who answers a conversation without an assignee becomes the assignee. */
  assigns_first_answer: z.boolean(),
})
export type AssignmentRules = z.infer<typeof assignmentRules>

const savedAssignmentRules = z.object({ settings: assignmentRules, version: count })

/** `members`: the staff members who can get conversations. */
export const assignmentRulesAnswer = answerOf(
  z.extend(savedAssignmentRules, { members: z.array(z.object({ id, name: z.string() })) }),
)
export type AssignmentMember = z.infer<typeof assignmentRulesAnswer>['data']['members'][number]

/** `replaces`: the version that the person saw. The server refuses the write if it stores another version. */
export const saveAssignmentRulesBody = z.object({ settings: assignmentRules, replaces: count })

/** The rules on the server after the call. */
export const saveAssignmentRulesAnswer = answerOf(z.extend(savedAssignmentRules, { is_saved: z.boolean() }))
