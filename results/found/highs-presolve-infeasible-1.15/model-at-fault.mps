NAME        
ROWS
 N  NoObj   
 E  r0      
 E  r1      
 E  r2      
 E  r3      
 E  r4      
 E  r5      
 E  r6      
 E  r7      
 E  r8      
 E  r9      
 E  r10     
 E  r11     
 E  r12     
 E  r13     
 E  r14     
 E  r15     
 E  r16     
 E  r17     
 E  r18     
 E  r19     
 E  r20     
 E  r21     
 E  r22     
 E  r23     
 E  r24     
 E  r25     
 E  r26     
 E  r27     
 E  r28     
 E  r29     
 E  r30     
 E  r31     
 E  r32     
 E  r33     
 E  r34     
 E  r35     
 E  r36     
 E  r37     
 E  r38     
 E  r39     
 E  r40     
 E  r41     
 E  r42     
 E  r43     
 E  r44     
 E  r45     
 E  r46     
 E  r47     
 E  r48     
 E  r49     
 E  r50     
 E  r51     
 E  r52     
 E  r53     
 E  r54     
 E  r55     
 E  r56     
 E  r57     
 E  r58     
 E  r59     
 E  r60     
 E  r61     
 E  r62     
 E  r63     
 E  r64     
 E  r65     
 E  r66     
 E  r67     
 E  r68     
 E  r69     
 E  r70     
 E  r71     
 E  r72     
 E  r73     
 E  r74     
 E  r75     
 E  r76     
 E  r77     
 E  r78     
 E  r79     
 E  r80     
 E  r81     
 E  r82     
 E  r83     
 E  r84     
 E  r85     
 E  r86     
 E  r87     
 E  r88     
 E  r89     
 E  r90     
 E  r91     
 E  r92     
 E  r93     
 E  r94     
 E  r95     
 E  r96     
 E  r97     
 E  r98     
 E  r99     
 E  r100    
 E  r101    
 E  r102    
 E  r103    
 E  r104    
 L  r105    
 L  r106    
 L  r107    
 G  r108    
 G  r109    
 G  r110    
 G  r111    
 G  r112    
 G  r113    
 G  r114    
 G  r115    
 G  r116    
 G  r117    
 G  r118    
 G  r119    
 L  r120    
 L  r121    
 L  r122    
 L  r123    
 L  r124    
 L  r125    
 L  r126    
 L  r127    
 L  r128    
 G  r_ekk129
 G  r_ekk130
 G  r_ekk131
 G  r_ekk132
 G  r_ekk133
 G  r_ekk134
 G  r_ekk135
 G  r_ekk136
 G  r_ekk137
 G  r_ekk138
COLUMNS
    c0        r0        1
    c0        r2        1
    c0        r7        -1
    c1        r0        1
    c1        r3        1
    c1        r5        -1
    c2        r0        1
    c2        r4        1
    c2        r6        -1
    c3        r7        1
    c3        r9        1
    c3        r15       -1
    c4        r7        1
    c4        r10       1
    c4        r16       -1
    c5        r7        1
    c5        r11       1
    c5        r17       -1
    c6        r7        1
    c6        r12       1
    c6        r18       -1
    c7        r5        1
    c7        r9        1
    c7        r13       -1
    c8        r6        1
    c8        r12       1
    c8        r14       -1
    c9        r17       1
    c9        r23       1
    c9        r26       -1
    c10       r17       1
    c10       r24       1
    c10       r29       -1
    c11       r18       1
    c11       r25       1
    c11       r26       -1
    c12       r13       1
    c12       r20       1
    c12       r26       -1
    c13       r14       1
    c13       r24       1
    c13       r26       -1
    c14       r15       1
    c14       r22       1
    c14       r26       -1
    c15       r15       1
    c15       r23       1
    c15       r27       -1
    c16       r16       1
    c16       r21       1
    c16       r26       -1
    c17       r16       1
    c17       r22       1
    c17       r28       -1
    c18       r29       1
    c18       r34       1
    c19       r26       1
    c19       r31       1
    c20       r27       1
    c20       r33       1
    c21       r28       1
    c21       r32       1
    c22       r35       1
    c22       r37       1
    c22       r46       -1
    c23       r35       1
    c23       r38       1
    c23       r46       -1
    c24       r35       1
    c24       r39       1
    c24       r47       -1
    c25       r35       1
    c25       r40       1
    c25       r48       -1
    c26       r35       1
    c26       r41       1
    c26       r49       -1
    c27       r35       1
    c27       r42       1
    c27       r50       -1
    c28       r35       1
    c28       r43       1
    c28       r51       -1
    c29       r35       1
    c29       r44       1
    c29       r52       -1
    c30       r35       1
    c30       r45       1
    c30       r53       -1
    c31       r47       1
    c31       r55       1
    c31       r64       -1
    c32       r47       1
    c32       r58       1
    c32       r65       -1
    c33       r47       1
    c33       r59       1
    c33       r66       -1
    c34       r47       1
    c34       r62       1
    c34       r67       -1
    c35       r48       1
    c35       r56       1
    c35       r68       -1
    c36       r48       1
    c36       r58       1
    c36       r69       -1
    c37       r48       1
    c37       r61       1
    c37       r70       -1
    c38       r49       1
    c38       r56       1
    c38       r71       -1
    c39       r49       1
    c39       r60       1
    c39       r72       -1
    c40       r50       1
    c40       r57       1
    c40       r73       -1
    c41       r50       1
    c41       r61       1
    c41       r63       -1
    c42       r51       1
    c42       r58       1
    c42       r65       -1
    c43       r51       1
    c43       r59       1
    c43       r66       -1
    c44       r52       1
    c44       r56       1
    c44       r68       -1
    c45       r52       1
    c45       r57       1
    c45       r74       -1
    c46       r52       1
    c46       r58       1
    c46       r69       -1
    c47       r52       1
    c47       r60       1
    c47       r75       -1
    c48       r52       1
    c48       r62       1
    c48       r76       -1
    c49       r53       1
    c49       r56       1
    c49       r71       -1
    c50       r46       1
    c50       r61       1
    c50       r63       -1
    c51       r67       1
    c51       r85       1
    c51       r88       -1
    c52       r68       1
    c52       r79       1
    c52       r88       -1
    c53       r69       1
    c53       r81       1
    c53       r90       -1
    c54       r70       1
    c54       r84       1
    c54       r88       -1
    c55       r71       1
    c55       r79       1
    c55       r91       -1
    c56       r72       1
    c56       r83       1
    c56       r92       -1
    c57       r73       1
    c57       r80       1
    c57       r93       -1
    c58       r74       1
    c58       r80       1
    c58       r88       -1
    c59       r75       1
    c59       r83       1
    c59       r88       -1
    c60       r76       1
    c60       r85       1
    c60       r94       -1
    c61       r63       1
    c61       r84       1
    c61       r86       -1
    c62       r64       1
    c62       r78       1
    c62       r87       -1
    c63       r65       1
    c63       r81       1
    c63       r88       -1
    c64       r66       1
    c64       r82       1
    c64       r89       -1
    c65       r90       1
    c65       r100      1
    c66       r91       1
    c66       r98       1
    c67       r92       1
    c67       r102      1
    c68       r86       1
    c68       r103      1
    c69       r93       1
    c69       r99       1
    c70       r94       1
    c70       r104      1
    c71       r87       1
    c71       r96       1
    c72       r87       1
    c72       r97       1
    c73       r88       1
    c73       r96       1
    c74       r89       1
    c74       r96       1
    c75       r89       1
    c75       r101      1
    MARK0000  'MARKER'                 'INTORG'
    c76       r1        1
    c76       r2        -1
    c76       r105      1
    c76       r_ekk129  1
    c76       r_ekk130  -1
    c76       r_ekk131  1
    c76       r_ekk132  1
    c76       r_ekk133  -1
    c76       r_ekk134  -1
    c76       r_ekk135  -1
    c76       r_ekk136  -1
    c76       r_ekk137  -1
    c76       r_ekk138  1
    c77       r1        1
    c77       r3        -1
    c77       r106      1
    c77       r_ekk129  1
    c77       r_ekk130  1
    c77       r_ekk131  1
    c77       r_ekk132  1
    c77       r_ekk133  1
    c77       r_ekk134  1
    c77       r_ekk135  1
    c77       r_ekk136  1
    c77       r_ekk137  1
    c77       r_ekk138  -1
    c78       r1        1
    c78       r4        -1
    c78       r107      1
    c78       r_ekk129  -1
    c78       r_ekk130  1
    c78       r_ekk131  -1
    c78       r_ekk132  -1
    c78       r_ekk133  1
    c78       r_ekk134  1
    c78       r_ekk135  1
    c78       r_ekk136  1
    c78       r_ekk137  1
    c78       r_ekk138  1
    c79       r8        1
    c79       r9        -1
    c79       r108      -1
    c79       r112      1
    c79       r_ekk129  1
    c79       r_ekk130  1
    c79       r_ekk131  1
    c79       r_ekk132  1
    c79       r_ekk133  1
    c79       r_ekk134  1
    c79       r_ekk135  1
    c79       r_ekk136  1
    c79       r_ekk137  1
    c79       r_ekk138  -1
    c80       r8        1
    c80       r10       -1
    c80       r109      -1
    c80       r113      1
    c80       r_ekk129  1
    c80       r_ekk130  -1
    c80       r_ekk131  1
    c80       r_ekk132  1
    c80       r_ekk133  1
    c80       r_ekk134  -1
    c80       r_ekk135  1
    c80       r_ekk136  1
    c80       r_ekk137  1
    c80       r_ekk138  1
    c81       r8        1
    c81       r11       -1
    c81       r110      -1
    c81       r114      1
    c81       r_ekk129  1
    c81       r_ekk130  1
    c81       r_ekk131  1
    c81       r_ekk132  1
    c81       r_ekk133  -1
    c81       r_ekk134  1
    c81       r_ekk135  -1
    c81       r_ekk136  1
    c81       r_ekk137  -1
    c81       r_ekk138  1
    c82       r8        1
    c82       r12       -1
    c82       r111      -1
    c82       r118      1
    c82       r_ekk129  -1
    c82       r_ekk130  1
    c82       r_ekk131  -1
    c82       r_ekk132  -1
    c82       r_ekk133  1
    c82       r_ekk134  1
    c82       r_ekk135  1
    c82       r_ekk136  -1
    c82       r_ekk137  1
    c82       r_ekk138  1
    c83       r19       1
    c83       r20       -1
    c83       r_ekk129  1
    c83       r_ekk130  1
    c83       r_ekk131  1
    c83       r_ekk132  1
    c83       r_ekk133  1
    c83       r_ekk134  1
    c83       r_ekk135  1
    c83       r_ekk136  1
    c83       r_ekk137  1
    c83       r_ekk138  -1
    c84       r19       1
    c84       r21       -1
    c84       r120      1
    c84       r_ekk129  1
    c84       r_ekk130  1
    c84       r_ekk131  1
    c84       r_ekk132  1
    c84       r_ekk133  1
    c84       r_ekk134  1
    c84       r_ekk135  1
    c84       r_ekk136  1
    c84       r_ekk137  1
    c84       r_ekk138  1
    c85       r19       1
    c85       r22       -1
    c85       r121      1
    c85       r_ekk129  1
    c85       r_ekk130  -1
    c85       r_ekk131  1
    c85       r_ekk132  1
    c85       r_ekk133  1
    c85       r_ekk134  -1
    c85       r_ekk135  1
    c85       r_ekk136  1
    c85       r_ekk137  1
    c85       r_ekk138  1
    c86       r19       1
    c86       r23       -1
    c86       r122      1
    c86       r_ekk129  1
    c86       r_ekk130  1
    c86       r_ekk131  1
    c86       r_ekk132  1
    c86       r_ekk133  1
    c86       r_ekk134  1
    c86       r_ekk135  -1
    c86       r_ekk136  1
    c86       r_ekk137  1
    c86       r_ekk138  1
    c87       r19       1
    c87       r24       -1
    c87       r123      1
    c87       r_ekk129  -1
    c87       r_ekk130  1
    c87       r_ekk131  -1
    c87       r_ekk132  -1
    c87       r_ekk133  -1
    c87       r_ekk134  1
    c87       r_ekk135  1
    c87       r_ekk136  1
    c87       r_ekk137  -1
    c87       r_ekk138  1
    c88       r19       1
    c88       r25       -1
    c88       r124      1
    c88       r_ekk129  1
    c88       r_ekk130  1
    c88       r_ekk131  1
    c88       r_ekk132  1
    c88       r_ekk133  1
    c88       r_ekk134  1
    c88       r_ekk135  1
    c88       r_ekk136  -1
    c88       r_ekk137  1
    c88       r_ekk138  1
    c89       r30       1
    c89       r31       -1
    c89       r125      1
    c89       r_ekk129  -1
    c89       r_ekk130  1
    c89       r_ekk131  -1
    c89       r_ekk132  -1
    c89       r_ekk133  1
    c89       r_ekk134  1
    c89       r_ekk135  -1
    c89       r_ekk136  -1
    c89       r_ekk137  1
    c89       r_ekk138  -1
    c90       r30       1
    c90       r32       -1
    c90       r126      1
    c90       r_ekk129  1
    c90       r_ekk130  -1
    c90       r_ekk131  1
    c90       r_ekk132  1
    c90       r_ekk133  1
    c90       r_ekk134  -1
    c90       r_ekk135  1
    c90       r_ekk136  1
    c90       r_ekk137  1
    c90       r_ekk138  1
    c91       r30       1
    c91       r33       -1
    c91       r127      1
    c91       r_ekk129  1
    c91       r_ekk130  1
    c91       r_ekk131  1
    c91       r_ekk132  1
    c91       r_ekk133  1
    c91       r_ekk134  1
    c91       r_ekk135  1
    c91       r_ekk136  1
    c91       r_ekk137  1
    c91       r_ekk138  1
    c92       r30       1
    c92       r34       -1
    c92       r128      1
    c92       r_ekk129  1
    c92       r_ekk130  1
    c92       r_ekk131  1
    c92       r_ekk132  1
    c92       r_ekk133  -1
    c92       r_ekk134  1
    c92       r_ekk135  1
    c92       r_ekk136  1
    c92       r_ekk137  -1
    c92       r_ekk138  1
    c93       r36       1
    c93       r37       -1
    c93       r105      1
    c93       r_ekk129  1
    c93       r_ekk130  1
    c93       r_ekk131  1
    c93       r_ekk132  -1
    c93       r_ekk133  1
    c93       r_ekk134  1
    c93       r_ekk135  1
    c93       r_ekk136  1
    c93       r_ekk137  1
    c93       r_ekk138  1
    c94       r36       1
    c94       r38       -1
    c94       r_ekk129  -1
    c94       r_ekk130  1
    c94       r_ekk131  1
    c94       r_ekk132  1
    c94       r_ekk133  1
    c94       r_ekk134  1
    c94       r_ekk135  1
    c94       r_ekk136  -1
    c94       r_ekk137  1
    c94       r_ekk138  1
    c95       r36       1
    c95       r39       -1
    c95       r_ekk129  1
    c95       r_ekk130  1
    c95       r_ekk131  1
    c95       r_ekk132  1
    c95       r_ekk133  1
    c95       r_ekk134  1
    c95       r_ekk135  1
    c95       r_ekk136  1
    c95       r_ekk137  1
    c95       r_ekk138  -1
    c96       r36       1
    c96       r40       -1
    c96       r_ekk129  1
    c96       r_ekk130  1
    c96       r_ekk131  1
    c96       r_ekk132  1
    c96       r_ekk133  1
    c96       r_ekk134  1
    c96       r_ekk135  1
    c96       r_ekk136  1
    c96       r_ekk137  1
    c96       r_ekk138  1
    c97       r36       1
    c97       r41       -1
    c97       r_ekk129  1
    c97       r_ekk130  -1
    c97       r_ekk131  1
    c97       r_ekk132  1
    c97       r_ekk133  1
    c97       r_ekk134  1
    c97       r_ekk135  1
    c97       r_ekk136  1
    c97       r_ekk137  1
    c97       r_ekk138  1
    c98       r36       1
    c98       r42       -1
    c98       r106      1
    c98       r_ekk129  1
    c98       r_ekk130  1
    c98       r_ekk131  -1
    c98       r_ekk132  1
    c98       r_ekk133  -1
    c98       r_ekk134  1
    c98       r_ekk135  -1
    c98       r_ekk136  1
    c98       r_ekk137  1
    c98       r_ekk138  1
    c99       r36       1
    c99       r43       -1
    c99       r_ekk129  1
    c99       r_ekk130  1
    c99       r_ekk131  1
    c99       r_ekk132  1
    c99       r_ekk133  1
    c99       r_ekk134  1
    c99       r_ekk135  1
    c99       r_ekk136  1
    c99       r_ekk137  1
    c99       r_ekk138  1
    c100      r36       1
    c100      r44       -1
    c100      r_ekk129  1
    c100      r_ekk130  1
    c100      r_ekk131  1
    c100      r_ekk132  1
    c100      r_ekk133  1
    c100      r_ekk134  1
    c100      r_ekk135  1
    c100      r_ekk136  1
    c100      r_ekk137  -1
    c100      r_ekk138  1
    c101      r36       1
    c101      r45       -1
    c101      r107      1
    c101      r_ekk129  1
    c101      r_ekk130  1
    c101      r_ekk131  1
    c101      r_ekk132  1
    c101      r_ekk133  1
    c101      r_ekk134  -1
    c101      r_ekk135  1
    c101      r_ekk136  1
    c101      r_ekk137  1
    c101      r_ekk138  1
    c102      r54       1
    c102      r55       -1
    c102      r108      1
    c102      r112      -1
    c102      r_ekk129  1
    c102      r_ekk130  1
    c102      r_ekk131  1
    c102      r_ekk132  1
    c102      r_ekk133  1
    c102      r_ekk134  1
    c102      r_ekk135  1
    c102      r_ekk136  1
    c102      r_ekk137  1
    c102      r_ekk138  -1
    c103      r54       1
    c103      r56       -1
    c103      r109      1
    c103      r113      -1
    c103      r_ekk129  1
    c103      r_ekk130  -1
    c103      r_ekk131  1
    c103      r_ekk132  1
    c103      r_ekk133  1
    c103      r_ekk134  -1
    c103      r_ekk135  1
    c103      r_ekk136  1
    c103      r_ekk137  1
    c103      r_ekk138  1
    c104      r54       1
    c104      r57       -1
    c104      r110      1
    c104      r114      -1
    c104      r_ekk129  1
    c104      r_ekk130  1
    c104      r_ekk131  1
    c104      r_ekk132  1
    c104      r_ekk133  -1
    c104      r_ekk134  1
    c104      r_ekk135  -1
    c104      r_ekk136  1
    c104      r_ekk137  -1
    c104      r_ekk138  1
    c105      r54       1
    c105      r58       -1
    c105      r115      -1
    c105      r_ekk129  1
    c105      r_ekk130  1
    c105      r_ekk131  1
    c105      r_ekk132  1
    c105      r_ekk133  1
    c105      r_ekk134  1
    c105      r_ekk135  1
    c105      r_ekk136  1
    c105      r_ekk137  1
    c105      r_ekk138  1
    c106      r54       1
    c106      r59       -1
    c106      r116      -1
    c106      r_ekk129  1
    c106      r_ekk130  1
    c106      r_ekk131  1
    c106      r_ekk132  1
    c106      r_ekk133  1
    c106      r_ekk134  1
    c106      r_ekk135  1
    c106      r_ekk136  1
    c106      r_ekk137  1
    c106      r_ekk138  1
    c107      r54       1
    c107      r60       -1
    c107      r117      -1
    c107      r_ekk129  1
    c107      r_ekk130  1
    c107      r_ekk131  1
    c107      r_ekk132  1
    c107      r_ekk133  1
    c107      r_ekk134  1
    c107      r_ekk135  1
    c107      r_ekk136  1
    c107      r_ekk137  1
    c107      r_ekk138  1
    c108      r54       1
    c108      r61       -1
    c108      r111      1
    c108      r118      -1
    c108      r_ekk129  -1
    c108      r_ekk130  1
    c108      r_ekk131  -1
    c108      r_ekk132  -1
    c108      r_ekk133  1
    c108      r_ekk134  1
    c108      r_ekk135  1
    c108      r_ekk136  -1
    c108      r_ekk137  1
    c108      r_ekk138  1
    c109      r54       1
    c109      r62       -1
    c109      r119      -1
    c109      r_ekk129  1
    c109      r_ekk130  1
    c109      r_ekk131  1
    c109      r_ekk132  1
    c109      r_ekk133  1
    c109      r_ekk134  1
    c109      r_ekk135  1
    c109      r_ekk136  1
    c109      r_ekk137  1
    c109      r_ekk138  1
    c110      r77       1
    c110      r78       -1
    c110      r120      1
    c110      r_ekk129  1
    c110      r_ekk130  1
    c110      r_ekk131  1
    c110      r_ekk132  1
    c110      r_ekk133  1
    c110      r_ekk134  1
    c110      r_ekk135  1
    c110      r_ekk136  1
    c110      r_ekk137  1
    c110      r_ekk138  -1
    c111      r77       1
    c111      r79       -1
    c111      r_ekk129  1
    c111      r_ekk130  -1
    c111      r_ekk131  1
    c111      r_ekk132  1
    c111      r_ekk133  1
    c111      r_ekk134  -1
    c111      r_ekk135  1
    c111      r_ekk136  1
    c111      r_ekk137  1
    c111      r_ekk138  1
    c112      r77       1
    c112      r80       -1
    c112      r121      1
    c112      r_ekk129  1
    c112      r_ekk130  1
    c112      r_ekk131  1
    c112      r_ekk132  1
    c112      r_ekk133  -1
    c112      r_ekk134  1
    c112      r_ekk135  -1
    c112      r_ekk136  1
    c112      r_ekk137  -1
    c112      r_ekk138  1
    c113      r77       1
    c113      r81       -1
    c113      r122      1
    c113      r_ekk129  1
    c113      r_ekk130  1
    c113      r_ekk131  1
    c113      r_ekk132  1
    c113      r_ekk133  1
    c113      r_ekk134  1
    c113      r_ekk135  1
    c113      r_ekk136  1
    c113      r_ekk137  1
    c113      r_ekk138  1
    c114      r77       1
    c114      r82       -1
    c114      r_ekk129  1
    c114      r_ekk130  1
    c114      r_ekk131  1
    c114      r_ekk132  1
    c114      r_ekk133  1
    c114      r_ekk134  1
    c114      r_ekk135  1
    c114      r_ekk136  1
    c114      r_ekk137  1
    c114      r_ekk138  1
    c115      r77       1
    c115      r83       -1
    c115      r123      1
    c115      r_ekk129  1
    c115      r_ekk130  1
    c115      r_ekk131  1
    c115      r_ekk132  1
    c115      r_ekk133  1
    c115      r_ekk134  1
    c115      r_ekk135  1
    c115      r_ekk136  1
    c115      r_ekk137  1
    c115      r_ekk138  1
    c116      r77       1
    c116      r84       -1
    c116      r_ekk129  -1
    c116      r_ekk130  1
    c116      r_ekk131  -1
    c116      r_ekk132  -1
    c116      r_ekk133  1
    c116      r_ekk134  1
    c116      r_ekk135  1
    c116      r_ekk136  -1
    c116      r_ekk137  1
    c116      r_ekk138  1
    c117      r77       1
    c117      r85       -1
    c117      r124      1
    c117      r_ekk129  1
    c117      r_ekk130  1
    c117      r_ekk131  1
    c117      r_ekk132  1
    c117      r_ekk133  1
    c117      r_ekk134  1
    c117      r_ekk135  1
    c117      r_ekk136  1
    c117      r_ekk137  1
    c117      r_ekk138  1
    c118      r95       1
    c118      r96       -1
    c118      r125      1
    c118      r_ekk129  1
    c118      r_ekk130  1
    c118      r_ekk131  1
    c118      r_ekk132  1
    c118      r_ekk133  1
    c118      r_ekk134  1
    c118      r_ekk135  1
    c118      r_ekk136  1
    c118      r_ekk137  -1
    c118      r_ekk138  1
    c119      r95       1
    c119      r97       -1
    c119      r_ekk129  1
    c119      r_ekk130  1
    c119      r_ekk131  1
    c119      r_ekk132  1
    c119      r_ekk133  1
    c119      r_ekk134  1
    c119      r_ekk135  1
    c119      r_ekk136  1
    c119      r_ekk137  1
    c119      r_ekk138  -1
    c120      r95       1
    c120      r98       -1
    c120      r_ekk129  1
    c120      r_ekk130  -1
    c120      r_ekk131  1
    c120      r_ekk132  1
    c120      r_ekk133  1
    c120      r_ekk134  -1
    c120      r_ekk135  1
    c120      r_ekk136  1
    c120      r_ekk137  1
    c120      r_ekk138  1
    c121      r95       1
    c121      r99       -1
    c121      r126      1
    c121      r_ekk129  1
    c121      r_ekk130  1
    c121      r_ekk131  1
    c121      r_ekk132  1
    c121      r_ekk133  -1
    c121      r_ekk134  1
    c121      r_ekk135  -1
    c121      r_ekk136  1
    c121      r_ekk137  1
    c121      r_ekk138  1
    c122      r95       1
    c122      r100      -1
    c122      r127      1
    c122      r_ekk129  1
    c122      r_ekk130  1
    c122      r_ekk131  1
    c122      r_ekk132  1
    c122      r_ekk133  1
    c122      r_ekk134  1
    c122      r_ekk135  1
    c122      r_ekk136  1
    c122      r_ekk137  1
    c122      r_ekk138  1
    c123      r95       1
    c123      r101      -1
    c123      r_ekk129  1
    c123      r_ekk130  1
    c123      r_ekk131  1
    c123      r_ekk132  1
    c123      r_ekk133  1
    c123      r_ekk134  1
    c123      r_ekk135  1
    c123      r_ekk136  1
    c123      r_ekk137  1
    c123      r_ekk138  1
    c124      r95       1
    c124      r102      -1
    c124      r128      1
    c124      r_ekk129  1
    c124      r_ekk130  1
    c124      r_ekk131  1
    c124      r_ekk132  1
    c124      r_ekk133  1
    c124      r_ekk134  1
    c124      r_ekk135  1
    c124      r_ekk136  1
    c124      r_ekk137  1
    c124      r_ekk138  1
    c125      r95       1
    c125      r103      -1
    c125      r_ekk129  -1
    c125      r_ekk130  1
    c125      r_ekk131  -1
    c125      r_ekk132  -1
    c125      r_ekk133  1
    c125      r_ekk134  1
    c125      r_ekk135  1
    c125      r_ekk136  -1
    c125      r_ekk137  1
    c125      r_ekk138  1
    c126      r95       1
    c126      r104      -1
    c126      r_ekk129  1
    c126      r_ekk130  1
    c126      r_ekk131  1
    c126      r_ekk132  1
    c126      r_ekk133  1
    c126      r_ekk134  1
    c126      r_ekk135  1
    c126      r_ekk136  1
    c126      r_ekk137  1
    c126      r_ekk138  1
    MARK0001  'MARKER'                 'INTEND'
RHS
    RHS_V     r0        1
    RHS_V     r1        1
    RHS_V     r8        1
    RHS_V     r19       1
    RHS_V     r30       1
    RHS_V     r35       1
    RHS_V     r36       1
    RHS_V     r54       1
    RHS_V     r77       1
    RHS_V     r95       1
    RHS_V     r105      1
    RHS_V     r106      1
    RHS_V     r107      1
    RHS_V     r120      1
    RHS_V     r121      1
    RHS_V     r122      1
    RHS_V     r123      1
    RHS_V     r124      1
    RHS_V     r125      1
    RHS_V     r126      1
    RHS_V     r127      1
    RHS_V     r128      1
    RHS_V     r_ekk129  -7
    RHS_V     r_ekk130  -7
    RHS_V     r_ekk131  -7
    RHS_V     r_ekk132  -7
    RHS_V     r_ekk133  -7
    RHS_V     r_ekk134  -7
    RHS_V     r_ekk135  -7
    RHS_V     r_ekk136  -7
    RHS_V     r_ekk137  -7
    RHS_V     r_ekk138  -7
BOUNDS
 UP BOUND     c0        1
 UP BOUND     c1        1
 UP BOUND     c2        1
 UP BOUND     c3        1
 UP BOUND     c4        1
 UP BOUND     c5        1
 UP BOUND     c6        1
 UP BOUND     c7        1
 UP BOUND     c8        1
 UP BOUND     c9        1
 UP BOUND     c10       1
 UP BOUND     c11       1
 UP BOUND     c12       1
 UP BOUND     c13       1
 UP BOUND     c14       1
 UP BOUND     c15       1
 UP BOUND     c16       1
 UP BOUND     c17       1
 UP BOUND     c18       1
 UP BOUND     c19       1
 UP BOUND     c20       1
 UP BOUND     c21       1
 UP BOUND     c22       1
 UP BOUND     c23       1
 UP BOUND     c24       1
 UP BOUND     c25       1
 UP BOUND     c26       1
 UP BOUND     c27       1
 UP BOUND     c28       1
 UP BOUND     c29       1
 UP BOUND     c30       1
 UP BOUND     c31       1
 UP BOUND     c32       1
 UP BOUND     c33       1
 UP BOUND     c34       1
 UP BOUND     c35       1
 UP BOUND     c36       1
 UP BOUND     c37       1
 UP BOUND     c38       1
 UP BOUND     c39       1
 UP BOUND     c40       1
 UP BOUND     c41       1
 UP BOUND     c42       1
 UP BOUND     c43       1
 UP BOUND     c44       1
 UP BOUND     c45       1
 UP BOUND     c46       1
 UP BOUND     c47       1
 UP BOUND     c48       1
 UP BOUND     c49       1
 UP BOUND     c50       1
 UP BOUND     c51       1
 UP BOUND     c52       1
 UP BOUND     c53       1
 UP BOUND     c54       1
 UP BOUND     c55       1
 UP BOUND     c56       1
 UP BOUND     c57       1
 UP BOUND     c58       1
 UP BOUND     c59       1
 UP BOUND     c60       1
 UP BOUND     c61       1
 UP BOUND     c62       1
 UP BOUND     c63       1
 UP BOUND     c64       1
 UP BOUND     c65       1
 UP BOUND     c66       1
 UP BOUND     c67       1
 UP BOUND     c68       1
 UP BOUND     c69       1
 UP BOUND     c70       1
 UP BOUND     c71       1
 UP BOUND     c72       1
 UP BOUND     c73       1
 UP BOUND     c74       1
 UP BOUND     c75       1
 BV BOUND     c76     
 BV BOUND     c77     
 BV BOUND     c78     
 BV BOUND     c79     
 BV BOUND     c80     
 BV BOUND     c81     
 BV BOUND     c82     
 BV BOUND     c83     
 BV BOUND     c84     
 BV BOUND     c85     
 BV BOUND     c86     
 BV BOUND     c87     
 BV BOUND     c88     
 BV BOUND     c89     
 BV BOUND     c90     
 BV BOUND     c91     
 BV BOUND     c92     
 BV BOUND     c93     
 BV BOUND     c94     
 BV BOUND     c95     
 BV BOUND     c96     
 BV BOUND     c97     
 BV BOUND     c98     
 BV BOUND     c99     
 BV BOUND     c100    
 BV BOUND     c101    
 BV BOUND     c102    
 BV BOUND     c103    
 BV BOUND     c104    
 BV BOUND     c105    
 BV BOUND     c106    
 BV BOUND     c107    
 BV BOUND     c108    
 BV BOUND     c109    
 BV BOUND     c110    
 BV BOUND     c111    
 BV BOUND     c112    
 BV BOUND     c113    
 BV BOUND     c114    
 BV BOUND     c115    
 BV BOUND     c116    
 BV BOUND     c117    
 BV BOUND     c118    
 BV BOUND     c119    
 BV BOUND     c120    
 BV BOUND     c121    
 BV BOUND     c122    
 BV BOUND     c123    
 BV BOUND     c124    
 BV BOUND     c125    
 BV BOUND     c126    
ENDATA
