import type { Db } from '../../database/database.ts'

type Invented = {
  title: string
  category_id: 'general' | 'orders' | 'payments' | 'delivery' | 'products'
  keywords: string[]
  response: string
  priority: number
  is_active?: boolean
}

const entries: Invented[] = [
  {
    title: 'How to pay',
    category_id: 'payments',
    keywords: ['GCash number', 'GCash', 'bank transfer', 'how to pay', 'paano magbayad'],
    response:
      'Hi {userName}! You can pay by GCash, Maya or bank transfer. We send you the account together with your order number. Please reply with a photo of the receipt, so that we can confirm the payment.',
    priority: 50,
  },
  {
    title: 'Cash on delivery',
    category_id: 'payments',
    keywords: ['COD', 'cash on delivery'],
    response: 'Hello {userName}, cash on delivery is possible within Metro Manila for orders up to ₱3,000.',
    priority: 40,
  },
  {
    title: 'Rush orders',
    category_id: 'orders',
    keywords: ['rush', 'rush order', 'same day'],
    response:
      'Hi {userName}, rush orders can be made for an additional ₱150. Please tell us what you need and until when, and we check at once.',
    priority: 30,
  },
  {
    title: 'Discounts for many pieces',
    category_id: 'products',
    keywords: ['discount', 'bulk order', 'wholesale'],
    response: 'Thank you for asking, {userName}! There is a 10% discount from 50 pieces on, and 15% from 200 on.',
    priority: 20,
  },
  {
    title: 'Files for printing',
    category_id: 'products',
    keywords: ['file format', 'PDF', 'JPEG', 'layout'],
    response: 'PDF is best for printing; a JPEG of at least 300 dpi will do, too. Please send it here as a file.',
    priority: 20,
  },
  {
    title: 'Where to pick up',
    category_id: 'delivery',
    keywords: ['pick up', 'pickup', 'saan po kayo', 'saan po ba kayo banda'],
    response: '{userName}, you can pick up your order at our shop in Marikina, Monday to Saturday from 9 AM to 6 PM.',
    priority: 10,
  },
  {
    title: 'Closed over the holidays',
    category_id: 'general',
    keywords: ['open today', 'opening hours', 'anong oras'],
    response: 'We are closed until January 3. Your message is not lost: we answer the day we are back.',
    priority: 90,
    is_active: false,
  },
]

/** Creates FAQ entries by the first administrator. The inbox must not have any. */
export async function seedFaq(db: Db, now: number): Promise<void> {
  const author = await db
    .selectFrom('staff')
    .select('id')
    .where('role', '=', 'administrator')
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  await db
    .insertInto('faq_entries')
    .values(
      entries.map((entry, index) => ({
        ...entry,
        created_by: author?.id ?? null,
        created_at: new Date(now - (index + 3) * 9 * day),
      })),
    )
    .execute()
}

const day = 24 * 60 * 60 * 1000
