import { BillPlace, idOf, SelectField, TypedField } from '@warung/forms/fields'
import { shownBill } from '@warung/forms/form'
import { iconOf } from '@warung/forms/picks'
import type { Field } from '@warung/forms/types'
import { isFull, isInterrupted, quantityLimit } from '../rules/order.ts'
import type { Checkout } from '../state/checkout.ts'
import { choicesOf, isFilled, openFields, shownMessage } from '../state/form.ts'
import type { FormState } from '../state/types.ts'
import { dayText, moneyText } from '../text/format.ts'
import type { Surroundings } from './parts.tsx'
import { Button, Icon, kitOf, Note, Picture, Shape, Stepper, Title } from './parts.tsx'

type FormProps = { readonly checkout: Checkout; readonly form: FormState }

/** Form of one product, and the button that puts it into the basket. */
export function ProductForm({ checkout, level, focusOn }: Surroundings) {
  const { form, order, catalog, busy } = checkout.state()
  const text = checkout.text()
  const back = (
    <Button className="quiet back" onClick={checkout.back}>
      <Icon name="back" />
      {text.back}
    </Button>
  )
  if (form === undefined || order === undefined)
    return (
      <>
        {back}
        <Title level={level}>{text.unknownProduct}</Title>
      </>
    )
  const { product } = form
  const fields = openFields(
    form,
    order.items.find(({ line }) => line === form.line),
    text,
  )
  const add = () => {
    if (checkout.add()) return
    const now = checkout.state().form ?? form
    const first = fields.find((field) => shownMessage(now, field, text) !== undefined)
    if (first !== undefined) focusOn(idOf(first))
  }
  return (
    <>
      {back}
      <div className="head">
        <Picture url={product.image_url} icon={iconOf(product)} />
        <div>
          <Title level={level}>{product.name}</Title>
          <p className="sub small">{text.times[product.processing_time]}</p>
        </div>
      </div>
      {isInterrupted(catalog, product.code) ? <Note tone="wait">{text.interruptedAbout}</Note> : null}
      {product.note === null || product.note === '' ? null : (
        <p className="mid">{text.standard(product.note)}</p>
      )}
      <form
        className="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          add()
        }}
      >
        {fields.flatMap((field) => [
          <ProductField key={field.id} checkout={checkout} form={form} fields={fields} field={field} />,
          field.id === product.fulfillment.account.from_field ? (
            <Bill key="bill" checkout={checkout} form={form} />
          ) : null,
        ])}
        {form.line === undefined ? <QuantityRow checkout={checkout} form={form} /> : null}
        {form.refusals[''] === undefined ? null : <Note tone="bad">{form.refusals['']}</Note>}
        {form.line === undefined ? <PriceRow checkout={checkout} form={form} /> : null}
        <div className="act">
          <Button
            className="primary wide"
            type="submit"
            isOff={busy !== undefined || (form.line === undefined && isFull(order))}
          >
            {actText(checkout, form)}
          </Button>
          <Mend checkout={checkout} form={form} fields={fields} />
        </div>
      </form>
    </>
  )
}

type ProductFieldProps = FormProps & { readonly fields: readonly Field[]; readonly field: Field }

function ProductField({ checkout, form, fields, field }: ProductFieldProps) {
  const text = checkout.text()
  const { product, values, combos, options, bill } = form
  const owed = bill === undefined ? undefined : shownBill(bill)?.owed
  const isOwed =
    field.id === product.fulfillment.amount.from_field && owed !== undefined && Number(owed) !== 0
  const props = {
    kit: kitOf(checkout),
    product,
    fields,
    field,
    values,
    error: shownMessage(form, field, text),
    onValue: (value: Parameters<Checkout['setValue']>[1]) => checkout.setValue(field.id, value),
    onLeave: () => checkout.leaveField(field.id),
    // Takes over what is owed into the amount.
    aside: isOwed ? (
      <button type="button" className="link" onClick={() => checkout.setValue(field.id, owed)}>
        {`${text.useOwed}: ${moneyText(owed)}`}
      </button>
    ) : undefined,
  }
  if (field.type !== 'select') return <TypedField {...props} />
  return (
    <SelectField
      {...props}
      choices={choicesOf(form, field)}
      combo={combos[field.id]}
      onCombo={(part) => checkout.setCombo(field.id, part)}
      instead={
        options[field.id]?.kind === 'failed' ? (
          <p className="input is-off" role="alert">
            {text.optionsFailed}
            <Button className="small" onClick={() => checkout.retryOptions(field.id)}>
              {text.retry}
            </Button>
          </p>
        ) : (
          <div className="bones" role="status">
            <span className="visually">{text.loading}</span>
          </div>
        )
      }
    />
  )
}

function actText(checkout: Checkout, form: FormState): string {
  const text = checkout.text()
  if (checkout.state().busy === 'adding') return text.adding
  if (form.line !== undefined) return text.save
  return form.quote === undefined ? text.add : text.addAmount(moneyText(form.quote.price))
}

function QuantityRow({ checkout, form: { product, quantity } }: FormProps) {
  const { order } = checkout.state()
  const text = checkout.text()
  const max = order === undefined ? 1 : quantityLimit(order, undefined)
  if (max === 0) return <Note tone="wait">{text.basketFull}</Note>
  return (
    <div className="between">
      <span className="name">{text.quantity}</span>
      <Stepper
        id="quantity"
        checkout={checkout}
        label={text.quantity}
        name={product.name}
        value={quantity}
        max={max}
        onValue={checkout.setQuantity}
      />
    </div>
  )
}

function PriceRow({ checkout, form }: FormProps) {
  const { quote, quantity } = form
  const text = checkout.text()
  if (quote === undefined)
    return (
      <p className="sub small" role="status" key="without">
        {noPriceText(checkout, form)}
      </p>
    )
  return (
    <div className="between price" role="status" key="price">
      <span className="mid">{text.price}</span>
      <span>
        {quantity > 1 ? <small className="sub">{`${text.each(moneyText(quote.unit_price))} `}</small> : null}
        <b className="figure">{moneyText(quote.price)}</b>
      </span>
    </div>
  )
}

/** Why there is no price: the form is not filled in, it is being asked for, or this item would be refused. */
function noPriceText(checkout: Checkout, form: FormState): string {
  const text = checkout.text()
  const [because] = [form.billRefusal, ...Object.values(form.refusals)].filter((each) => each !== undefined)
  if (because !== undefined) return `${text.priceRefused} ${because}`
  return isFilled(form, text) ? text.askingPrice : text.priceLater
}

function Bill({ checkout, form }: FormProps) {
  const text = checkout.text()
  const { language } = checkout.state()
  return (
    <BillPlace
      kit={kitOf(checkout)}
      bill={form.bill}
      isAsking={form.isAskingBill}
      head={
        <span className="state ok">
          <Shape tone="ok" />
          {text.billExists}
        </span>
      }
      owed={(amount) => moneyText(amount)}
      due={(day) => text.due(dayText(day, language))}
    />
  )
}

/** Says what is missing, once somebody has tried to add. */
function Mend({ checkout, form, fields }: FormProps & { readonly fields: readonly Field[] }) {
  const text = checkout.text()
  const wrong = form.isTried ? fields.filter((field) => shownMessage(form, field, text) !== undefined) : []
  return (
    <p className="sub small" role="status">
      {wrong[0] === undefined ? '' : text.mend(wrong.length, wrong[0].label)}
    </p>
  )
}
