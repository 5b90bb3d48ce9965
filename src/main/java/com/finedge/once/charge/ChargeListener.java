package com.finedge.once.charge;

import com.finedge.once.contract.InvalidMessageException;

/** Is told what happens to charges besides their claims; must not throw and not block. */
public interface ChargeListener {

    /** A message was refused: it is no valid charge. */
    void refused(InvalidMessageException.Code code);
}
