import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { useId } from 'react'
import { labelNameOf } from '../../domain/list/label-use.ts'
import {
  areRulesFull,
  lastApplied,
  withChangedRule,
  withoutRule,
  withRule,
  withRuleEarlier,
} from '../../domain/list/rules-form.ts'
import { safeName } from '../../domain/shown-text.ts'
import { assignmentRules } from '../../machines/list/assignment-rules.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import { type AssignmentRule, type AssignmentRules, assignmentActions } from '../../schemas/assignment-rules.ts'
import { t } from '../../texts/list-on-demand.ts'
import { Button, IconButton } from '../components/Button.tsx'
import { FieldLabel } from '../components/Field.tsx'
import { Select } from '../components/Select.tsx'
import { Check, Group, SettingsDialog } from '../SettingsDialog.tsx'
import { useLabels } from '../use-labels.ts'
import { usePages } from '../use-pages.ts'
import { useSelector } from '../use-selector.ts'

const actionNames = {
  member: 'list.ruleMember',
  rotation: 'list.ruleRotation',
  least_loaded: 'list.ruleLeastLoaded',
  nobody: 'list.ruleNobody',
} as const

/** The rules by which conversations are assigned. */
export default function AssignmentRulesDialog(props: DialogProps<'assignmentRules'>) {
  return (
    <SettingsDialog
      {...props}
      form={assignmentRules}
      texts={{
        loading: t('list.rulesLoading'),
        failed: t('list.rulesFailed'),
        overtaken: t('list.rulesOvertaken'),
        save: t('list.rulesSave'),
      }}
      className="w-160"
    >
      {(settings, saving) => <Rules actor={props.actor} settings={settings} disabled={saving} />}
    </SettingsDialog>
  )
}

type RulesProps = {
  actor: DialogProps<'assignmentRules'>['actor']
  settings: AssignmentRules
  disabled: boolean
}

function Rules({ actor, settings, disabled }: RulesProps) {
  const edit = (changed: AssignmentRules) => actor.send({ type: 'settings.edited', settings: changed })
  const last = lastApplied(settings)
  return (
    <>
      <Group name={t('list.rulesWaiting')} disabled={disabled}>
        <p className="text-ink-2 text-xs">{t('list.rulesAdvice')}</p>
        {settings.rules.length === 0 && <p className="py-2 text-ink-3">{t('list.rulesNone')}</p>}
        <ol className="grid gap-2">
          {settings.rules.map((rule, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rules have no ids, and their place is what is shown
            <li key={index} className="rounded-ui border border-line p-3">
              <div className="mb-2 flex items-center gap-1">
                <span className="mr-auto font-medium">{t('list.rule', { number: index + 1 })}</span>
                <IconButton
                  label={t('list.ruleEarlier', { number: index + 1 })}
                  disabled={index === 0}
                  onClick={() => edit(withRuleEarlier(settings, index))}
                >
                  <ArrowUp size={15} aria-hidden="true" />
                </IconButton>
                <IconButton
                  label={t('list.ruleLater', { number: index + 1 })}
                  disabled={index === settings.rules.length - 1}
                  onClick={() => edit(withRuleEarlier(settings, index + 1))}
                >
                  <ArrowDown size={15} aria-hidden="true" />
                </IconButton>
                <IconButton
                  label={t('list.ruleRemove', { number: index + 1 })}
                  onClick={() => edit(withoutRule(settings, index))}
                >
                  <X size={15} aria-hidden="true" />
                </IconButton>
              </div>
              <Rule actor={actor} rule={rule} onChange={(change) => edit(withChangedRule(settings, index, change))} />
              {last !== -1 && index > last && (
                <p className="mt-2 text-warn text-xs">{t('list.ruleNeverUsed', { number: last + 1 })}</p>
              )}
            </li>
          ))}
        </ol>
        <Button
          className="justify-self-start"
          disabled={areRulesFull(settings)}
          onClick={() => edit(withRule(settings))}
        >
          <Plus size={15} aria-hidden="true" />
          {t('list.ruleAdd')}
        </Button>
      </Group>
      <Group name={t('list.rulesAnswer')} disabled={disabled}>
        <Check
          label={t('list.rulesFirstAnswer')}
          isChecked={settings.assigns_first_answer}
          onChange={(isOn) => edit({ ...settings, assigns_first_answer: isOn })}
        />
      </Group>
    </>
  )
}

type RuleProps = {
  actor: RulesProps['actor']
  rule: AssignmentRule
  onChange: (change: Partial<AssignmentRule>) => void
}

function Rule({ actor, rule, onChange }: RuleProps) {
  const { pages } = usePages()
  const labels = useLabels()
  const { members } = useSelector(actor, assignmentRules.selectFacts)
  return (
    <div className="grid gap-2 sm:grid-cols-2">
      <Choice
        name={t('list.rulePage')}
        value={rule.page_id}
        none={t('list.ruleEachPage')}
        options={pages.map(({ page_id, page_name }) => ({ id: page_id, name: safeName(page_name) }))}
        onChange={(id) => onChange({ page_id: id || null })}
      />
      <Choice
        name={t('list.ruleLabel')}
        value={rule.label_id}
        none={t('list.ruleEachLabel')}
        options={labels.map((label) => ({ id: label.id, name: labelNameOf(label) }))}
        onChange={(id) => onChange({ label_id: id || null })}
      />
      <Choice
        name={t('list.ruleAction')}
        value={rule.action}
        options={assignmentActions.map((action) => ({ id: action, name: t(actionNames[action]) }))}
        onChange={(id) => onChange({ action: assignmentActions.find((action) => action === id) ?? 'nobody' })}
      />
      {rule.action === 'member' && (
        <Choice
          name={t('list.ruleWho')}
          value={rule.member_id}
          none={t('list.ruleChoose')}
          options={members.map(({ id, name }) => ({ id, name: safeName(name) }))}
          onChange={(id) => onChange({ member_id: id })}
        />
      )}
    </div>
  )
}

type ChoiceProps = {
  name: string
  value: string | null
  /** The option without a value. */
  none?: string
  options: readonly { id: string; name: string }[]
  onChange: (id: string) => void
}

function Choice({ name, value, none, options, onChange }: ChoiceProps) {
  const id = useId()
  const isGone = value !== null && value !== '' && options.every((option) => option.id !== value)
  return (
    <div className="grid content-start gap-1">
      <FieldLabel htmlFor={id}>{name}</FieldLabel>
      <Select id={id} className="h-9 w-full" value={value ?? ''} onChange={({ target }) => onChange(target.value)}>
        {none !== undefined && <option value="">{none}</option>}
        {isGone && <option value={value}>{t('list.ruleGone')}</option>}
        {options.map((option) => (
          <option key={option.id} value={option.id}>
            {option.name}
          </option>
        ))}
      </Select>
    </div>
  )
}
