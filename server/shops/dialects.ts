import type { ShopKind } from '../../src/schemas/shop.ts'
import type { ShopDialect } from './shop.ts'
import { shopify } from './shopify.ts'
import { woocommerce } from './woocommerce.ts'

export const shopDialects: Readonly<Record<ShopKind, ShopDialect>> = { shopify, woocommerce }
