import { useRef } from 'react'
import { safeName } from '../../domain/shown-text.ts'
import { productManager } from '../../machines/client/product-manager.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import { t } from '../../texts/orders-on-demand.ts'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { useSelector } from '../use-selector.ts'
import { ProductForm } from './ProductForm.tsx'
import { ProductList } from './ProductList.tsx'

/** The dialog of products: the list and the form. */
export default function ProductsDialog({ actor, title, onDismiss }: DialogProps<'productManager'>) {
  const form = useSelector(actor, productManager.selectForm)
  const askedAbout = useSelector(actor, productManager.selectAskedAbout)
  const deleting = useSelector(actor, productManager.selectIsDeleting)
  const first = useRef<HTMLButtonElement>(null)
  return (
    <DialogFrame
      title={title}
      onDismiss={onDismiss}
      staysOnPressOutside={form !== undefined}
      initialFocus={first}
      className="h-160 w-150 max-w-full max-sm:h-full max-sm:w-full max-sm:rounded-none max-sm:border-0"
    >
      {form === undefined ? (
        <ProductList actor={actor} firstRef={first} />
      ) : (
        <ProductForm key={form.sessionId} actor={form} />
      )}
      {askedAbout !== null && (
        <ConfirmDialog
          title={t('orders.productDelete')}
          question={t('orders.productDeleteQuestion', { name: safeName(askedAbout.name) })}
          confirm={deleting ? t('shared.deleting') : t('orders.productDelete')}
          isBusy={deleting}
          focusAfter={first}
          onConfirm={() => actor.send({ type: 'deletion.confirmed' })}
          onCancel={() => actor.send({ type: 'deletion.cancelled' })}
        />
      )}
    </DialogFrame>
  )
}
