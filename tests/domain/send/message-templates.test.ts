import { describe, expect, it } from 'vitest'
import { contentOf, fieldsOf, isFilled, textOfTemplate } from '../../../src/domain/send/message-templates.ts'
import type { MessageTemplate } from '../../../src/schemas/structured-message.ts'

const template: MessageTemplate = {
  id: '1',
  name: 'order_ready',
  language: 'en',
  header: 'Order {{1}}',
  body: 'Hello {{name}}, order {{1}} of {{ name }} is ready.',
  buttons: [],
}

describe('A template', () => {
  it('has a value for each placeholder, once in its header and once in its body', () => {
    expect(fieldsOf(template)).toEqual([
      { key: 'header:1', name: '1' },
      { key: 'body:name', name: 'name' },
      { key: 'body:1', name: '1' },
    ])
  })

  it('is filled in with one line for each value, however it was typed', () => {
    const values = { 'header:1': ' 42 ', 'body:name': 'Ana\nMaria', 'body:1': '42' }
    const content = contentOf(template, values)
    expect(content).toEqual({
      kind: 'template',
      name: 'order_ready',
      language: 'en',
      header: [{ name: '1', value: '42' }],
      body: [
        { name: 'name', value: 'Ana Maria' },
        { name: '1', value: '42' },
      ],
    })
    expect(textOfTemplate(template, content)).toBe('Order 42\nHello Ana Maria, order 42 of Ana Maria is ready.')
  })

  it.each([
    [{}, false],
    [{ 'header:1': '1', 'body:name': ' ', 'body:1': '1' }, false],
    [{ 'header:1': '1', 'body:name': 'Ana', 'body:1': '1' }, true],
  ])('with the values %o is complete: %s', (values, expected) => {
    expect(isFilled(template, values)).toBe(expected)
  })

  it('keeps a placeholder without a value, and a value that looks like one', () => {
    const content = contentOf(template, { 'body:name': '{{1}}' })
    expect(textOfTemplate(template, content)).toBe('Order {{1}}\nHello {{1}}, order {{1}} of {{1}} is ready.')
  })
})
