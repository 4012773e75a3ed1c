import * as z from 'zod/mini'
import { pagePictureAddress } from '../../domain/list/picture-address.ts'
import { type Page, page } from '../../schemas/page.ts'
import { type Http, rows } from '../http.ts'

/**
 * The connected pages (spec section 7). Throws `Failure`. Pictures on the network's image hosts go through
 * `pictureProxy` (see `pagePictureAddress`).
 */
export function createPages(
  http: Http,
  log: { warn: (text: string) => void },
  { pictureProxy }: { pictureProxy: string | null },
) {
  const list = rows(page, log, 'pages')
  const answer = z.union([
    z.object({ success: z.literal(true), data: z.object({ data: list }) }),
    z.object({ data: list }),
  ])

  return {
    loadPages: async (signal: AbortSignal): Promise<readonly Page[]> => {
      const { data } = await http.get('/facebook/pages', { schema: answer, signal })
      return (Array.isArray(data) ? data : data.data).map((row) =>
        row.page_profile_pic_url == null
          ? row
          : { ...row, page_profile_pic_url: pagePictureAddress(row.page_profile_pic_url, pictureProxy) },
      )
    },
  }
}
