import { describe, expect, it } from 'vitest'
import { mustBeGiven, mustBeProvided } from '../../src/machines/must-be-provided.ts'

describe('an actor that was not provided', () => {
  it('throws an error with its name when it is called', async () => {
    await expect(mustBeProvided('loadThings')()).rejects.toEqual(new Error('loadThings must be provided'))
    expect(mustBeGiven('store')).toThrow(new Error('store must be provided'))
  })
})
