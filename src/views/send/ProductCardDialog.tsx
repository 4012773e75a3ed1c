import { ArrowLeft } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { formatMoney } from '../../domain/client/money.ts'
import { matchingProducts } from '../../domain/client/product-fields.ts'
import { cardOf, linkTitleOf } from '../../domain/send/product-card.ts'
import { safeName } from '../../domain/shown-text.ts'
import { selectChosen, selectHasFailed, selectProducts } from '../../machines/send/product-card.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import type { Product } from '../../schemas/product.ts'
import { t } from '../../texts/send-on-demand.ts'
import { useBusiness } from '../client/use-business.ts'
import { Button } from '../components/Button.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { embeddable } from '../components/embeddable.ts'
import { TextInput } from '../components/Field.tsx'
import { NotLoaded } from '../components/TryAgain.tsx'
import { useSelector } from '../use-selector.ts'

/** The number of products that are rendered. The search finds the others. */
const shownAtOnce = 100

type Actor = DialogProps<'productCard'>['actor']

/** Chooses a product and sends it as a card. */
export default function ProductCardDialog({ actor, title, onDismiss }: DialogProps<'productCard'>) {
  const chosen = useSelector(actor, selectChosen)
  return (
    <DialogFrame
      title={title}
      onDismiss={onDismiss}
      className="w-120 max-w-full max-sm:h-full max-sm:w-full max-sm:rounded-none max-sm:border-0"
    >
      {chosen === null ? <ProductChoice actor={actor} /> : <CardPreview actor={actor} product={chosen} />}
    </DialogFrame>
  )
}

function ProductChoice({ actor }: { actor: Actor }) {
  const products = useSelector(actor, selectProducts)
  const failed = useSelector(actor, selectHasFailed)
  const business = useBusiness()
  const [typed, setTyped] = useState('')
  const found = useMemo(() => matchingProducts(products ?? [], typed), [products, typed])
  const search = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (products !== null) search.current?.focus()
  }, [products])
  if (failed)
    return <NotLoaded text={t('send.cardNotLoaded')} onRetry={() => actor.send({ type: 'refetch.requested' })} />
  if (products === null || products.length === 0)
    return (
      <p role="status" className="px-4 py-8 text-center text-ink-2">
        {t(products === null ? 'send.cardLoading' : 'send.cardNone')}
      </p>
    )
  return (
    <>
      <div className="shrink-0 border-line border-b px-4 py-3">
        <TextInput
          ref={search}
          type="text"
          inputMode="search"
          autoComplete="off"
          spellCheck={false}
          aria-label={t('send.cardSearch')}
          placeholder={t('send.cardSearch')}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </div>
      <ul className="scroller min-h-0 flex-1">
        {found.slice(0, shownAtOnce).map((product) => (
          <li key={product.id} className="border-line border-b last:border-b-0">
            <button
              type="button"
              className="flex min-h-11 w-full items-center gap-2 px-4 py-2 text-left hover:bg-sunken"
              onClick={() => actor.send({ type: 'product.chosen', product })}
            >
              <bdi className="min-w-0 flex-1 [overflow-wrap:anywhere]">{safeName(product.name)}</bdi>
              <span className="shrink-0 tabular-nums">{formatMoney(product.price, business)}</span>
            </button>
          </li>
        ))}
      </ul>
      <p role="status" className="px-4 py-3 text-ink-2 empty:hidden">
        {found.length === 0 && t('send.cardNoneFound')}
        {found.length > shownAtOnce && t('send.cardFurther', { count: found.length - shownAtOnce })}
      </p>
    </>
  )
}

function CardPreview({ actor, product }: { actor: Actor; product: Product }) {
  const business = useBusiness()
  const card = cardOf(product, formatMoney(product.price, business))
  const picture = card.picture === undefined ? null : embeddable(card.picture)
  const [isMissing, setIsMissing] = useState(false)
  const send = useRef<HTMLButtonElement>(null)
  useEffect(() => send.current?.focus(), [])
  return (
    <>
      <div className="grid gap-2 p-4">
        <h3 className="font-medium text-xs">{t('send.templatePreview')}</h3>
        <section
          aria-label={t('send.templatePreview')}
          className="grid w-fit max-w-full gap-0.5 rounded-ui border border-line px-3 py-2 [overflow-wrap:anywhere]"
        >
          {picture !== null && !isMissing && (
            <img
              src={picture}
              alt={safeName(card.title)}
              referrerPolicy="no-referrer"
              className="mb-1 block h-36 w-64 max-w-full bg-sunken object-cover"
              onError={() => setIsMissing(true)}
            />
          )}
          <b dir="auto" className="font-semibold">
            {safeName(card.title)}
          </b>
          <span className="text-ink-2 tabular-nums">{card.subtitle}</span>
          {card.link !== undefined && <span className="text-accent text-xs">{linkTitleOf(card.link)}</span>}
        </section>
      </div>
      <footer className="flex shrink-0 justify-end gap-2 border-line border-t px-4 py-3">
        <Button onClick={() => actor.send({ type: 'product.left' })}>
          <ArrowLeft size={15} aria-hidden="true" />
          {t('send.cardOther')}
        </Button>
        <Button ref={send} variant="primary" onClick={() => actor.send({ type: 'card.sent', card })}>
          {t('send.cardSend')}
        </Button>
      </footer>
    </>
  )
}
