import { type ComponentProps, useId } from 'react'
import { FieldLabel } from './Field.tsx'
import { Select } from './Select.tsx'

type OneOfProps<Option extends string> = Omit<ComponentProps<typeof Select>, 'value' | 'onChange'> & {
  options: readonly Option[]
  textOf: (option: Option) => string
  value: Option
  onChoose: (option: Option) => void
}

/** A select of fixed options. */
function OneOf<Option extends string>({ options, textOf, onChoose, ...rest }: OneOfProps<Option>) {
  return (
    <Select
      {...rest}
      onChange={({ target }) => {
        const chosen = options[target.selectedIndex]
        if (chosen !== undefined) onChoose(chosen)
      }}
    >
      {options.map((option) => (
        <option key={option} value={option}>
          {textOf(option)}
        </option>
      ))}
    </Select>
  )
}

/** A select of fixed options under its label. */
export function Choice<Option extends string>({
  label,
  place = 'grid gap-1',
  className = 'w-full',
  ...rest
}: OneOfProps<Option> & { label: string; place?: string }) {
  const id = useId()
  return (
    <div className={place}>
      <FieldLabel htmlFor={id}>{label}</FieldLabel>
      <OneOf id={id} className={`h-9 ${className}`} {...rest} />
    </div>
  )
}
