/** Tests of the rules of recovering a charge. */
@NullMarked
package com.finedge.once.charge;

import org.jspecify.annotations.NullMarked;
