package com.finedge.once.saga;

class PlainExpressionsTest extends ExpressionsContract {

    @Override
    protected Expressions expressions() {
        return new PlainExpressions();
    }
}
