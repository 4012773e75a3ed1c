import { useMemo } from 'react'
import { type Business, businessOf } from '../../schemas/business.ts'
import { useUser } from '../use-inbox.ts'

/** How amounts and dates of the business are written. */
export function useBusiness(): Business {
  const user = useUser()
  return useMemo(() => businessOf(user), [user])
}
