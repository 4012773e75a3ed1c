import { demoStaff } from '../../server/stand-ins/supabase/demo-staff.ts'
import { tokenPairOf } from './api.ts'
import { expect, test } from './fixtures.ts'
import { look } from './look.ts'
import { psidOf } from './network.ts'
import type { TestServer } from './server.ts'

// Axe takes a second each time, and there are many.
test.describe.configure({ timeout: 180_000 })
test.use({ actionTimeout: 10_000 })

/** Adds a product by the API, as an administrator. */
async function addProduct(server: TestServer, name: string): Promise<void> {
  const { token } = await tokenPairOf(server, demoStaff[0])
  const response = await fetch(`${server.url}/api/products`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ code: name, name, price: 125_050, is_active: true }),
  })
  expect(response.status).toBe(200)
}

test('an agent makes an order from a picture, records the payment of a receipt, and a lead approves it', async ({
  ana: lead,
  harness,
  linkedPerson,
  page,
  sandbox,
  server,
  unique,
}) => {
  const product = unique('Canvas print')
  const reference = unique('gc')
  const wish = unique('Ganito po sana')
  const receipt = unique('Bayad na po')
  await addProduct(server, product)
  await lead.isLive()
  await lead.page.getByRole('button', { name: /^Account: / }).click()
  await lead.page.getByRole('button', { name: 'Products' }).last().click()
  const products = lead.page.getByRole('dialog', { name: 'Products' })
  await expect(products.getByRole('heading', { name: product })).toBeVisible()
  await look(lead.page, 'products')
  await lead.page.keyboard.press('Escape')

  // The agent makes the order from the picture that the customer sent.
  await sandbox.write(psidOf(linkedPerson), wish, ['image'])
  await harness.signInAt(linkedPerson)
  await harness.isLive()
  await lead.navigateTo(linkedPerson)
  const details = page.getByRole('complementary', { name: 'Client details' })
  const leadDetails = lead.page.getByRole('complementary', { name: 'Client details' })
  await expect(leadDetails.getByText('Recent Orders')).toBeVisible()
  const fromPicture = page.getByRole('button', { name: 'New order from this picture' }).last()
  await fromPicture.click()
  const form = page.getByRole('dialog', { name: 'New order' })
  const name = form.getByRole('combobox', { name: 'Product' })
  await expect(name).toBeFocused()
  await expect(form.getByRole('button', { name: 'Make order' })).toBeDisabled()
  await name.pressSequentially(product.slice(0, 8))
  const option = page.getByRole('option', { name: product })
  await expect(option).toBeVisible()
  // Escape closes the list and nothing else.
  await name.press('Escape')
  await expect(option).toBeHidden()
  await expect(form).toBeVisible()
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await name.fill('')
  await name.pressSequentially(product.slice(0, 8))
  await expect(option).toBeVisible()
  await name.press('ArrowDown')
  await name.press('Enter')
  await expect(name).toHaveValue(product)
  await expect(form.getByLabel('Unit price')).toHaveValue('1250.50')
  await form.getByLabel('Quantity').fill('2')
  await form.getByRole('button', { name: 'Add item' }).click()
  const second = form.getByRole('group', { name: 'Item 2' })
  await second.getByRole('combobox', { name: 'Product' }).fill('Ribbon')
  await second.getByLabel('Unit price').fill('99')
  await form.getByLabel('Discount').fill('100')
  await form.getByLabel('Delivery fee').fill('150')
  await expect(form.getByRole('definition').last()).toHaveText('₱2,650.00')
  await look(page, 'new-order')
  await form.getByRole('button', { name: 'Make order' }).dblclick()
  await expect(form).toBeHidden()
  await expect(fromPicture).toBeFocused()

  const line = (pane: typeof details) => pane.getByRole('listitem').filter({ hasText: '₱2,650.00' })
  const made = Date.now()
  await expect(line(leadDetails)).toBeVisible({ timeout: 4_000 })
  expect(Date.now() - made).toBeLessThan(2_500)
  await expect(line(details)).toHaveCount(1)

  // The customer sends two pictures, and the agent records the second one as the receipt.
  await sandbox.write(psidOf(linkedPerson), receipt, ['image', 'image'])
  const record = page.getByRole('button', { name: 'Record payment from this picture' })
  await expect(record).toHaveCount(2)
  await record.last().click()
  const payment = page.getByRole('dialog', { name: 'Record payment' })
  await expect(payment.getByRole('img', { name: /^Receipt/ })).toHaveCount(2)
  await payment.getByRole('radio', { name: /^Picture 2 of 2/ }).check()
  await expect(payment.getByLabel('Order')).toContainText('₱2,650.00')
  await payment.getByLabel('Amount').fill('1,000')
  await payment.getByLabel('Reference number').fill(reference)
  await look(page, 'record-payment')
  await payment.getByRole('button', { name: 'Record payment' }).click()
  await expect(payment).toBeHidden()
  const recorded = Date.now()
  await expect(line(leadDetails).getByText('To approve')).toBeVisible({ timeout: 4_000 })
  expect(Date.now() - recorded).toBeLessThan(2_500)

  // The agent confirms the order, and sees no way to approve the payment.
  await line(details).getByRole('button').click()
  const order = page.getByRole('dialog', { name: /^Order #C-/ })
  await expect(order.getByText('₱1,000.00')).toBeVisible()
  await expect(order.getByRole('button', { name: /^Approve/ })).toBeHidden()
  await order.getByRole('button', { name: 'Confirm' }).click()
  await expect(order.getByText('Confirmed', { exact: true })).toBeVisible()

  // The lead sees the chosen receipt alone and approves the payment, and the agent's open dialog follows.
  await line(leadDetails).getByRole('button').click()
  const leadOrder = lead.page.getByRole('dialog', { name: /^Order #C-/ })
  await expect(leadOrder.getByRole('link').getByRole('img')).toHaveCount(2)
  await look(lead.page, 'order')
  await leadOrder.getByRole('button', { name: 'Approve the payment of ₱1,000.00' }).click()
  await expect(leadOrder.getByText('Approved', { exact: true })).toBeVisible()
  const approved = Date.now()
  await expect(order.getByText('Approved', { exact: true })).toBeVisible({ timeout: 4_000 })
  expect(Date.now() - approved).toBeLessThan(2_000)
  const orderNumber = (await order.getByRole('heading').first().innerText()).replace('Order #', '')
  await page.keyboard.press('Escape')
  await expect(line(details).getByText('Partial')).toBeVisible()
  await expect(line(details).getByText('To approve')).toBeHidden()

  // The customer pays the rest in cash, which the agent records in the dialog of the order.
  await line(details).getByRole('button').click()
  await order.getByRole('button', { name: 'Record payment' }).click()
  await expect(payment.getByLabel('Order').getByRole('option')).toHaveText([/₱1,650\.00 to pay$/])
  await expect(payment.getByRole('radio', { name: 'No picture' })).toBeChecked()
  await payment.getByRole('button', { name: 'Use the amount to pay, ₱1,650.00' }).click()
  await payment.getByLabel('Method').selectOption('Cash')
  await look(page, 'record-payment-of-order')
  await payment.getByRole('button', { name: 'Record payment' }).click()
  await expect(payment).toBeHidden()
  await expect(order.getByRole('listitem').filter({ hasText: '₱1,650.00' })).toContainText('Pending')
  await page.keyboard.press('Escape')
  await expect(order).toBeHidden()
  await expect(line(details).getByRole('button')).toBeFocused()
  await expect(line(details).getByText('To approve')).toBeVisible()

  // The lead is asked before a payment is rejected.
  const cash = '₱1,650.00'
  await leadOrder.getByRole('button', { name: `Reject the payment of ${cash}` }).click()
  const question = lead.page.getByRole('alertdialog', { name: 'Reject payment' })
  await question.getByRole('button', { name: 'Reject payment' }).click()
  await leadOrder.getByRole('button', { name: `Set the payment of ${cash} back to pending` }).click()
  await expect(leadOrder.getByRole('button', { name: `Approve the payment of ${cash}` })).toBeVisible()

  // The summary for the customer counts the approved payment.
  await harness.thread.getByRole('button', { name: 'Payments' }).click()
  await expect(harness.composer).toHaveValue(/C-\d{5}[\s\S]*₱1,000\.00/)

  // From the order, found while no conversation is open, a press leads to the message that the order came from.
  await page.evaluate(() => {
    history.pushState(null, '', '/')
    dispatchEvent(new PopStateEvent('popstate'))
  })
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Find people and actions' })
  await expect(palette.getByRole('combobox')).toBeFocused()
  await page.keyboard.type(orderNumber)
  await palette.getByRole('option', { name: orderNumber }).click()
  await order.getByRole('button', { name: 'Made from the message: show in the chat' }).click()
  await expect(order).toBeHidden()
  await expect(page).toHaveURL(new RegExp(`/${linkedPerson.primary_user_id}`))
  await expect(harness.bubbles(wish)).toBeVisible()

  // The same from the page of the client.
  await page.goto(`/clients/${linkedPerson.client_id}`)
  await page.getByRole('button', { name: new RegExp(orderNumber) }).click()
  await order.getByRole('button', { name: 'Receipt: show in the chat' }).click()
  await expect(page).toHaveURL(new RegExp(`/${linkedPerson.primary_user_id}`))
  await expect(harness.bubbles(receipt)).toBeVisible()
})
