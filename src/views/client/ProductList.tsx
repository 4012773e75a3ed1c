import { Pencil, Plus, Trash2 } from 'lucide-react'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { formatMoney } from '../../domain/client/money.ts'
import { matchingProducts } from '../../domain/client/product-fields.ts'
import { safeName } from '../../domain/shown-text.ts'
import { type ProductManagerActor, productManager } from '../../machines/client/product-manager.ts'
import type { Product } from '../../schemas/product.ts'
import { t } from '../../texts/orders-on-demand.ts'
import { Badge } from '../components/Badge.tsx'
import { Button, IconButton } from '../components/Button.tsx'
import { TextInput } from '../components/Field.tsx'
import { NotLoaded } from '../components/TryAgain.tsx'
import { useSelector } from '../use-selector.ts'
import { useBusiness } from './use-business.ts'

/** The number of products that are rendered. The search finds the others. */
const shownAtOnce = 200

type ProductListProps = { actor: ProductManagerActor; firstRef: RefObject<HTMLButtonElement | null> }

/** The products with their actions, and a search in them. */
export function ProductList({ actor, firstRef }: ProductListProps) {
  const products = useSelector(actor, productManager.selectItems)
  const [typed, setTyped] = useState('')
  const list = useRef<HTMLDivElement>(null)
  // On return from the form, the button that opened the form no longer exists, so the focus must be set.
  useEffect(() => {
    const edited = productManager.selectItem(actor.getSnapshot())
    if (edited !== null) list.current?.querySelector<HTMLElement>(`[data-product="${CSS.escape(edited.id)}"]`)?.focus()
    else if (firstRef.current?.isConnected) firstRef.current.focus()
  }, [actor, firstRef])
  return (
    <>
      <div className="flex shrink-0 flex-wrap gap-2 border-line border-b px-4 py-3">
        {/* The form compares the code with those of the list. */}
        <Button
          ref={firstRef}
          variant="primary"
          className="h-9"
          aria-disabled={products === null}
          onClick={() => products !== null && actor.send({ type: 'item.added' })}
        >
          <Plus size={15} aria-hidden="true" />
          {t('orders.productAdd')}
        </Button>
        {products !== null && products.length > 0 && (
          <div className="min-w-48 flex-1">
            <TextInput
              type="text"
              inputMode="search"
              autoComplete="off"
              spellCheck={false}
              aria-label={t('orders.productSearch')}
              placeholder={t('orders.productSearchHint')}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          </div>
        )}
      </div>
      <div ref={list} className="scroller min-h-0 flex-1">
        <Products actor={actor} typed={typed} />
      </div>
    </>
  )
}

function Products({ actor, typed }: { actor: ProductManagerActor; typed: string }) {
  const products = useSelector(actor, productManager.selectItems)
  const failed = useSelector(actor, productManager.selectHaveFailed)
  const found = useMemo(() => matchingProducts(products ?? [], typed), [products, typed])
  if (products === null)
    return failed ? (
      <NotLoaded text={t('orders.productsNotLoaded')} onRetry={() => actor.send({ type: 'refetch.requested' })} />
    ) : (
      <p role="status" className="px-4 py-8 text-center text-ink-2">
        {t('orders.productsLoading')}
      </p>
    )
  if (found.length === 0)
    return (
      <p role="status" className="px-4 py-8 text-center text-ink-2">
        {t(products.length === 0 ? 'orders.productsNone' : 'orders.productsNoneFound')}
      </p>
    )
  const further = found.length - shownAtOnce
  return (
    <>
      <ul aria-label={t('orders.products')}>
        {found.slice(0, shownAtOnce).map((product) => (
          <ProductLine key={product.id} product={product} actor={actor} />
        ))}
      </ul>
      {further > 0 && <p className="px-4 py-3 text-ink-2">{t('orders.productsFurther', { count: further })}</p>}
    </>
  )
}

function ProductLine({ product, actor }: { product: Product; actor: ProductManagerActor }) {
  const business = useBusiness()
  const name = safeName(product.name)
  return (
    <li className="flex items-center gap-2 border-line border-b px-4 py-2 last:border-b-0">
      <div className="min-w-0 flex-1">
        <h3 dir="auto" className="font-semibold [overflow-wrap:anywhere]">
          {name}
        </h3>
        <p className="flex flex-wrap items-center gap-x-2 text-ink-2 text-xs">
          {product.code !== null && <bdi className="[overflow-wrap:anywhere]">{safeName(product.code)}</bdi>}
          {!product.is_active && <Badge>{t('orders.productInactive')}</Badge>}
        </p>
      </div>
      <span className="shrink-0 tabular-nums">{formatMoney(product.price, business)}</span>
      <IconButton
        data-product={product.id}
        label={t('shared.edit', { name })}
        onClick={() => actor.send({ type: 'item.edited', item: product })}
      >
        <Pencil size={15} aria-hidden="true" />
      </IconButton>
      <IconButton
        label={t('shared.deleteNamed', { name })}
        onClick={() => actor.send({ type: 'deletion.requested', item: product })}
      >
        <Trash2 size={15} aria-hidden="true" />
      </IconButton>
    </li>
  )
}
