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
 L  r78     
 L  r79     
 L  r80     
 L  r81     
 L  r82     
 L  r83     
 L  r84     
 L  r85     
 L  r86     
 G  r87     
 G  r88     
 G  r89     
 G  r90     
 G  r91     
 G  r92     
 G  r93     
 L  r94     
 G  r95     
 G  r96     
 G  r97     
 G  r98     
 G  r_ekk99 
 G  r_ekk100
 G  r_ekk101
 G  r_ekk102
 G  r_ekk103
 G  r_ekk104
 G  r_ekk105
 G  r_ekk106
 G  r_ekk107
 G  r_ekk108
 G  r_ekk109
 G  r_ekk110
 G  r_ekk111
 G  r_ekk112
COLUMNS
    c0        r0        1
    c0        r2        1
    c0        r17       -1
    c1        r0        1
    c1        r3        1
    c1        r10       -1
    c2        r0        1
    c2        r4        1
    c2        r11       -1
    c3        r0        1
    c3        r5        1
    c3        r12       -1
    c4        r0        1
    c4        r6        1
    c4        r13       -1
    c5        r0        1
    c5        r7        1
    c5        r14       -1
    c6        r0        1
    c6        r8        1
    c6        r15       -1
    c7        r0        1
    c7        r9        1
    c7        r16       -1
    c8        r13       1
    c8        r19       1
    c8        r30       -1
    c9        r14       1
    c9        r20       1
    c9        r27       -1
    c10       r14       1
    c10       r22       1
    c10       r28       -1
    c11       r15       1
    c11       r21       1
    c11       r29       -1
    c12       r16       1
    c12       r20       1
    c12       r28       -1
    c13       r17       1
    c13       r26       1
    c13       r29       -1
    c14       r10       1
    c14       r23       1
    c14       r27       -1
    c15       r10       1
    c15       r25       1
    c15       r28       -1
    c16       r11       1
    c16       r24       1
    c16       r29       -1
    c17       r12       1
    c17       r23       1
    c17       r28       -1
    c18       r30       1
    c18       r34       1
    c18       r35       -1
    c19       r27       1
    c19       r33       1
    c19       r35       -1
    c20       r28       1
    c20       r32       1
    c20       r36       -1
    c21       r29       1
    c21       r32       1
    c21       r37       -1
    c22       r35       1
    c22       r39       1
    c23       r36       1
    c23       r40       1
    c24       r37       1
    c24       r39       1
    c25       r37       1
    c25       r40       1
    c26       r41       1
    c26       r43       1
    c26       r48       -1
    c27       r41       1
    c27       r44       1
    c27       r49       -1
    c28       r41       1
    c28       r45       1
    c28       r50       -1
    c29       r41       1
    c29       r46       1
    c29       r51       -1
    c30       r41       1
    c30       r47       1
    c30       r52       -1
    c31       r50       1
    c31       r55       1
    c31       r61       -1
    c32       r51       1
    c32       r55       1
    c32       r62       -1
    c33       r52       1
    c33       r54       1
    c33       r63       -1
    c34       r48       1
    c34       r56       1
    c34       r58       -1
    c35       r48       1
    c35       r57       1
    c35       r59       -1
    c36       r49       1
    c36       r56       1
    c36       r60       -1
    c37       r62       1
    c37       r66       1
    c37       r70       -1
    c38       r63       1
    c38       r65       1
    c38       r72       -1
    c39       r58       1
    c39       r67       1
    c39       r69       -1
    c40       r59       1
    c40       r68       1
    c40       r70       -1
    c41       r60       1
    c41       r67       1
    c41       r70       -1
    c42       r61       1
    c42       r66       1
    c42       r71       -1
    c43       r72       1
    c43       r74       1
    c44       r72       1
    c44       r75       1
    c45       r69       1
    c45       r77       1
    c46       r70       1
    c46       r74       1
    c47       r71       1
    c47       r76       1
    MARK0000  'MARKER'                 'INTORG'
    c48       r1        1
    c48       r2        -1
    c48       r_ekk99   1
    c48       r_ekk100  1
    c48       r_ekk101  1
    c48       r_ekk102  1
    c48       r_ekk103  1
    c48       r_ekk104  1
    c48       r_ekk105  1
    c48       r_ekk106  -1
    c48       r_ekk107  1
    c48       r_ekk108  1
    c48       r_ekk109  1
    c48       r_ekk110  1
    c48       r_ekk111  -1
    c48       r_ekk112  -1
    c49       r1        1
    c49       r3        -1
    c49       r78       1
    c49       r_ekk99   -1
    c49       r_ekk100  1
    c49       r_ekk101  1
    c49       r_ekk102  1
    c49       r_ekk103  -1
    c49       r_ekk104  1
    c49       r_ekk105  1
    c49       r_ekk106  1
    c49       r_ekk107  1
    c49       r_ekk108  1
    c49       r_ekk109  1
    c49       r_ekk110  1
    c49       r_ekk111  1
    c49       r_ekk112  1
    c50       r1        1
    c50       r4        -1
    c50       r_ekk99   1
    c50       r_ekk100  1
    c50       r_ekk101  1
    c50       r_ekk102  1
    c50       r_ekk103  1
    c50       r_ekk104  1
    c50       r_ekk105  1
    c50       r_ekk106  1
    c50       r_ekk107  -1
    c50       r_ekk108  1
    c50       r_ekk109  1
    c50       r_ekk110  -1
    c50       r_ekk111  1
    c50       r_ekk112  1
    c51       r1        1
    c51       r5        -1
    c51       r79       1
    c51       r_ekk99   1
    c51       r_ekk100  1
    c51       r_ekk101  -1
    c51       r_ekk102  -1
    c51       r_ekk103  1
    c51       r_ekk104  1
    c51       r_ekk105  1
    c51       r_ekk106  1
    c51       r_ekk107  1
    c51       r_ekk108  1
    c51       r_ekk109  1
    c51       r_ekk110  1
    c51       r_ekk111  1
    c51       r_ekk112  1
    c52       r1        1
    c52       r6        -1
    c52       r80       1
    c52       r_ekk99   1
    c52       r_ekk100  1
    c52       r_ekk101  1
    c52       r_ekk102  1
    c52       r_ekk103  1
    c52       r_ekk104  1
    c52       r_ekk105  1
    c52       r_ekk106  1
    c52       r_ekk107  1
    c52       r_ekk108  1
    c52       r_ekk109  1
    c52       r_ekk110  1
    c52       r_ekk111  1
    c52       r_ekk112  1
    c53       r1        1
    c53       r7        -1
    c53       r81       1
    c53       r_ekk99   1
    c53       r_ekk100  -1
    c53       r_ekk101  1
    c53       r_ekk102  1
    c53       r_ekk103  1
    c53       r_ekk104  -1
    c53       r_ekk105  -1
    c53       r_ekk106  1
    c53       r_ekk107  1
    c53       r_ekk108  1
    c53       r_ekk109  1
    c53       r_ekk110  1
    c53       r_ekk111  1
    c53       r_ekk112  1
    c54       r1        1
    c54       r8        -1
    c54       r_ekk99   1
    c54       r_ekk100  1
    c54       r_ekk101  1
    c54       r_ekk102  1
    c54       r_ekk103  1
    c54       r_ekk104  1
    c54       r_ekk105  1
    c54       r_ekk106  1
    c54       r_ekk107  1
    c54       r_ekk108  -1
    c54       r_ekk109  -1
    c54       r_ekk110  1
    c54       r_ekk111  1
    c54       r_ekk112  1
    c55       r1        1
    c55       r9        -1
    c55       r82       1
    c55       r_ekk99   1
    c55       r_ekk100  1
    c55       r_ekk101  1
    c55       r_ekk102  1
    c55       r_ekk103  1
    c55       r_ekk104  1
    c55       r_ekk105  1
    c55       r_ekk106  1
    c55       r_ekk107  1
    c55       r_ekk108  1
    c55       r_ekk109  1
    c55       r_ekk110  1
    c55       r_ekk111  1
    c55       r_ekk112  1
    c56       r18       1
    c56       r19       -1
    c56       r83       1
    c56       r_ekk99   1
    c56       r_ekk100  1
    c56       r_ekk101  1
    c56       r_ekk102  1
    c56       r_ekk103  1
    c56       r_ekk104  1
    c56       r_ekk105  1
    c56       r_ekk106  1
    c56       r_ekk107  1
    c56       r_ekk108  1
    c56       r_ekk109  1
    c56       r_ekk110  1
    c56       r_ekk111  1
    c56       r_ekk112  1
    c57       r18       1
    c57       r20       -1
    c57       r84       1
    c57       r_ekk99   1
    c57       r_ekk100  1
    c57       r_ekk101  1
    c57       r_ekk102  1
    c57       r_ekk103  1
    c57       r_ekk104  1
    c57       r_ekk105  -1
    c57       r_ekk106  1
    c57       r_ekk107  1
    c57       r_ekk108  1
    c57       r_ekk109  1
    c57       r_ekk110  1
    c57       r_ekk111  1
    c57       r_ekk112  1
    c58       r18       1
    c58       r21       -1
    c58       r85       1
    c58       r_ekk99   1
    c58       r_ekk100  1
    c58       r_ekk101  1
    c58       r_ekk102  1
    c58       r_ekk103  1
    c58       r_ekk104  1
    c58       r_ekk105  1
    c58       r_ekk106  1
    c58       r_ekk107  1
    c58       r_ekk108  -1
    c58       r_ekk109  -1
    c58       r_ekk110  1
    c58       r_ekk111  1
    c58       r_ekk112  1
    c59       r18       1
    c59       r22       -1
    c59       r86       1
    c59       r_ekk99   1
    c59       r_ekk100  -1
    c59       r_ekk101  1
    c59       r_ekk102  1
    c59       r_ekk103  1
    c59       r_ekk104  -1
    c59       r_ekk105  1
    c59       r_ekk106  1
    c59       r_ekk107  1
    c59       r_ekk108  1
    c59       r_ekk109  1
    c59       r_ekk110  1
    c59       r_ekk111  1
    c59       r_ekk112  1
    c60       r18       1
    c60       r23       -1
    c60       r_ekk99   1
    c60       r_ekk100  1
    c60       r_ekk101  -1
    c60       r_ekk102  -1
    c60       r_ekk103  1
    c60       r_ekk104  1
    c60       r_ekk105  1
    c60       r_ekk106  1
    c60       r_ekk107  1
    c60       r_ekk108  1
    c60       r_ekk109  1
    c60       r_ekk110  1
    c60       r_ekk111  1
    c60       r_ekk112  1
    c61       r18       1
    c61       r24       -1
    c61       r_ekk99   1
    c61       r_ekk100  1
    c61       r_ekk101  1
    c61       r_ekk102  1
    c61       r_ekk103  1
    c61       r_ekk104  1
    c61       r_ekk105  1
    c61       r_ekk106  1
    c61       r_ekk107  -1
    c61       r_ekk108  1
    c61       r_ekk109  1
    c61       r_ekk110  -1
    c61       r_ekk111  1
    c61       r_ekk112  1
    c62       r18       1
    c62       r25       -1
    c62       r_ekk99   -1
    c62       r_ekk100  1
    c62       r_ekk101  1
    c62       r_ekk102  1
    c62       r_ekk103  -1
    c62       r_ekk104  1
    c62       r_ekk105  1
    c62       r_ekk106  1
    c62       r_ekk107  1
    c62       r_ekk108  1
    c62       r_ekk109  1
    c62       r_ekk110  1
    c62       r_ekk111  1
    c62       r_ekk112  1
    c63       r18       1
    c63       r26       -1
    c63       r_ekk99   1
    c63       r_ekk100  1
    c63       r_ekk101  1
    c63       r_ekk102  1
    c63       r_ekk103  1
    c63       r_ekk104  1
    c63       r_ekk105  1
    c63       r_ekk106  -1
    c63       r_ekk107  1
    c63       r_ekk108  1
    c63       r_ekk109  1
    c63       r_ekk110  1
    c63       r_ekk111  -1
    c63       r_ekk112  -1
    c64       r31       1
    c64       r32       -1
    c64       r87       -1
    c64       r90       1
    c64       r_ekk99   -1
    c64       r_ekk100  -1
    c64       r_ekk101  -1
    c64       r_ekk102  -1
    c64       r_ekk103  -1
    c64       r_ekk104  -1
    c64       r_ekk105  1
    c64       r_ekk106  -1
    c64       r_ekk107  -1
    c64       r_ekk108  -1
    c64       r_ekk109  -1
    c64       r_ekk110  -1
    c64       r_ekk111  -1
    c64       r_ekk112  -1
    c65       r31       1
    c65       r33       -1
    c65       r88       -1
    c65       r92       1
    c65       r_ekk99   1
    c65       r_ekk100  1
    c65       r_ekk101  1
    c65       r_ekk102  1
    c65       r_ekk103  1
    c65       r_ekk104  1
    c65       r_ekk105  -1
    c65       r_ekk106  1
    c65       r_ekk107  1
    c65       r_ekk108  1
    c65       r_ekk109  1
    c65       r_ekk110  1
    c65       r_ekk111  1
    c65       r_ekk112  1
    c66       r31       1
    c66       r34       -1
    c66       r89       -1
    c66       r_ekk99   1
    c66       r_ekk100  1
    c66       r_ekk101  1
    c66       r_ekk102  1
    c66       r_ekk103  1
    c66       r_ekk104  1
    c66       r_ekk105  1
    c66       r_ekk106  1
    c66       r_ekk107  1
    c66       r_ekk108  1
    c66       r_ekk109  1
    c66       r_ekk110  1
    c66       r_ekk111  1
    c66       r_ekk112  1
    c67       r38       1
    c67       r39       -1
    c67       r94       1
    c67       r96       1
    c67       r97       1
    c67       r98       1
    c67       r_ekk99   1
    c67       r_ekk100  1
    c67       r_ekk101  1
    c67       r_ekk102  1
    c67       r_ekk103  1
    c67       r_ekk104  1
    c67       r_ekk105  -1
    c67       r_ekk106  -1
    c67       r_ekk107  -1
    c67       r_ekk108  1
    c67       r_ekk109  1
    c67       r_ekk110  1
    c67       r_ekk111  1
    c67       r_ekk112  1
    c68       r38       1
    c68       r40       -1
    c68       r95       -1
    c68       r96       1
    c68       r_ekk99   -1
    c68       r_ekk100  -1
    c68       r_ekk101  -1
    c68       r_ekk102  -1
    c68       r_ekk103  -1
    c68       r_ekk104  -1
    c68       r_ekk105  1
    c68       r_ekk106  1
    c68       r_ekk107  1
    c68       r_ekk108  -1
    c68       r_ekk109  -1
    c68       r_ekk110  -1
    c68       r_ekk111  -1
    c68       r_ekk112  -1
    c69       r42       1
    c69       r43       -1
    c69       r78       1
    c69       r_ekk99   1
    c69       r_ekk100  1
    c69       r_ekk101  1
    c69       r_ekk102  1
    c69       r_ekk103  1
    c69       r_ekk104  1
    c69       r_ekk105  -1
    c69       r_ekk106  1
    c69       r_ekk107  1
    c69       r_ekk108  1
    c69       r_ekk109  1
    c69       r_ekk110  1
    c69       r_ekk111  1
    c69       r_ekk112  1
    c70       r42       1
    c70       r44       -1
    c70       r79       1
    c70       r_ekk99   1
    c70       r_ekk100  1
    c70       r_ekk101  1
    c70       r_ekk102  1
    c70       r_ekk103  1
    c70       r_ekk104  1
    c70       r_ekk105  1
    c70       r_ekk106  1
    c70       r_ekk107  1
    c70       r_ekk108  1
    c70       r_ekk109  1
    c70       r_ekk110  1
    c70       r_ekk111  1
    c70       r_ekk112  1
    c71       r42       1
    c71       r45       -1
    c71       r80       1
    c71       r_ekk99   1
    c71       r_ekk100  1
    c71       r_ekk101  1
    c71       r_ekk102  1
    c71       r_ekk103  1
    c71       r_ekk104  1
    c71       r_ekk105  1
    c71       r_ekk106  1
    c71       r_ekk107  1
    c71       r_ekk108  1
    c71       r_ekk109  1
    c71       r_ekk110  1
    c71       r_ekk111  1
    c71       r_ekk112  1
    c72       r42       1
    c72       r46       -1
    c72       r81       1
    c72       r_ekk99   1
    c72       r_ekk100  1
    c72       r_ekk101  1
    c72       r_ekk102  1
    c72       r_ekk103  1
    c72       r_ekk104  1
    c72       r_ekk105  1
    c72       r_ekk106  1
    c72       r_ekk107  1
    c72       r_ekk108  1
    c72       r_ekk109  1
    c72       r_ekk110  1
    c72       r_ekk111  1
    c72       r_ekk112  1
    c73       r42       1
    c73       r47       -1
    c73       r82       1
    c73       r_ekk99   -1
    c73       r_ekk100  -1
    c73       r_ekk101  -1
    c73       r_ekk102  -1
    c73       r_ekk103  -1
    c73       r_ekk104  -1
    c73       r_ekk105  1
    c73       r_ekk106  -1
    c73       r_ekk107  -1
    c73       r_ekk108  -1
    c73       r_ekk109  -1
    c73       r_ekk110  -1
    c73       r_ekk111  -1
    c73       r_ekk112  -1
    c74       r53       1
    c74       r54       -1
    c74       r83       1
    c74       r_ekk99   -1
    c74       r_ekk100  -1
    c74       r_ekk101  -1
    c74       r_ekk102  -1
    c74       r_ekk103  -1
    c74       r_ekk104  -1
    c74       r_ekk105  1
    c74       r_ekk106  -1
    c74       r_ekk107  -1
    c74       r_ekk108  -1
    c74       r_ekk109  -1
    c74       r_ekk110  -1
    c74       r_ekk111  -1
    c74       r_ekk112  -1
    c75       r53       1
    c75       r55       -1
    c75       r84       1
    c75       r_ekk99   1
    c75       r_ekk100  1
    c75       r_ekk101  1
    c75       r_ekk102  1
    c75       r_ekk103  1
    c75       r_ekk104  1
    c75       r_ekk105  1
    c75       r_ekk106  1
    c75       r_ekk107  1
    c75       r_ekk108  1
    c75       r_ekk109  1
    c75       r_ekk110  1
    c75       r_ekk111  1
    c75       r_ekk112  1
    c76       r53       1
    c76       r56       -1
    c76       r85       1
    c76       r_ekk99   1
    c76       r_ekk100  1
    c76       r_ekk101  1
    c76       r_ekk102  1
    c76       r_ekk103  1
    c76       r_ekk104  1
    c76       r_ekk105  -1
    c76       r_ekk106  1
    c76       r_ekk107  1
    c76       r_ekk108  1
    c76       r_ekk109  1
    c76       r_ekk110  1
    c76       r_ekk111  1
    c76       r_ekk112  1
    c77       r53       1
    c77       r57       -1
    c77       r86       1
    c77       r_ekk99   1
    c77       r_ekk100  1
    c77       r_ekk101  1
    c77       r_ekk102  1
    c77       r_ekk103  1
    c77       r_ekk104  1
    c77       r_ekk105  1
    c77       r_ekk106  1
    c77       r_ekk107  1
    c77       r_ekk108  1
    c77       r_ekk109  1
    c77       r_ekk110  1
    c77       r_ekk111  1
    c77       r_ekk112  1
    c78       r64       1
    c78       r65       -1
    c78       r87       1
    c78       r90       -1
    c78       r_ekk99   -1
    c78       r_ekk100  -1
    c78       r_ekk101  -1
    c78       r_ekk102  -1
    c78       r_ekk103  -1
    c78       r_ekk104  -1
    c78       r_ekk105  1
    c78       r_ekk106  -1
    c78       r_ekk107  -1
    c78       r_ekk108  -1
    c78       r_ekk109  -1
    c78       r_ekk110  -1
    c78       r_ekk111  -1
    c78       r_ekk112  -1
    c79       r64       1
    c79       r66       -1
    c79       r91       -1
    c79       r_ekk99   1
    c79       r_ekk100  1
    c79       r_ekk101  1
    c79       r_ekk102  1
    c79       r_ekk103  1
    c79       r_ekk104  1
    c79       r_ekk105  1
    c79       r_ekk106  1
    c79       r_ekk107  1
    c79       r_ekk108  1
    c79       r_ekk109  1
    c79       r_ekk110  1
    c79       r_ekk111  1
    c79       r_ekk112  1
    c80       r64       1
    c80       r67       -1
    c80       r88       1
    c80       r92       -1
    c80       r_ekk99   1
    c80       r_ekk100  1
    c80       r_ekk101  1
    c80       r_ekk102  1
    c80       r_ekk103  1
    c80       r_ekk104  1
    c80       r_ekk105  -1
    c80       r_ekk106  1
    c80       r_ekk107  1
    c80       r_ekk108  1
    c80       r_ekk109  1
    c80       r_ekk110  1
    c80       r_ekk111  1
    c80       r_ekk112  1
    c81       r64       1
    c81       r68       -1
    c81       r93       -1
    c81       r_ekk99   1
    c81       r_ekk100  1
    c81       r_ekk101  1
    c81       r_ekk102  1
    c81       r_ekk103  1
    c81       r_ekk104  1
    c81       r_ekk105  1
    c81       r_ekk106  1
    c81       r_ekk107  1
    c81       r_ekk108  1
    c81       r_ekk109  1
    c81       r_ekk110  1
    c81       r_ekk111  1
    c81       r_ekk112  1
    c82       r73       1
    c82       r74       -1
    c82       r94       1
    c82       r95       1
    c82       r_ekk99   1
    c82       r_ekk100  -1
    c82       r_ekk101  -1
    c82       r_ekk102  1
    c82       r_ekk103  -1
    c82       r_ekk104  1
    c82       r_ekk105  1
    c82       r_ekk106  1
    c82       r_ekk107  1
    c82       r_ekk108  1
    c82       r_ekk109  -1
    c82       r_ekk110  1
    c82       r_ekk111  1
    c82       r_ekk112  -1
    c83       r73       1
    c83       r75       -1
    c83       r95       1
    c83       r96       -1
    c83       r_ekk99   -1
    c83       r_ekk100  1
    c83       r_ekk101  1
    c83       r_ekk102  -1
    c83       r_ekk103  1
    c83       r_ekk104  -1
    c83       r_ekk105  1
    c83       r_ekk106  -1
    c83       r_ekk107  -1
    c83       r_ekk108  -1
    c83       r_ekk109  1
    c83       r_ekk110  -1
    c83       r_ekk111  -1
    c83       r_ekk112  1
    c84       r73       1
    c84       r76       -1
    c84       r97       -1
    c84       r_ekk99   1
    c84       r_ekk100  1
    c84       r_ekk101  1
    c84       r_ekk102  1
    c84       r_ekk103  1
    c84       r_ekk104  1
    c84       r_ekk105  1
    c84       r_ekk106  1
    c84       r_ekk107  1
    c84       r_ekk108  1
    c84       r_ekk109  1
    c84       r_ekk110  1
    c84       r_ekk111  1
    c84       r_ekk112  1
    c85       r73       1
    c85       r77       -1
    c85       r98       -1
    c85       r_ekk99   1
    c85       r_ekk100  1
    c85       r_ekk101  1
    c85       r_ekk102  1
    c85       r_ekk103  1
    c85       r_ekk104  1
    c85       r_ekk105  -1
    c85       r_ekk106  1
    c85       r_ekk107  1
    c85       r_ekk108  1
    c85       r_ekk109  1
    c85       r_ekk110  1
    c85       r_ekk111  1
    c85       r_ekk112  1
    MARK0001  'MARKER'                 'INTEND'
RHS
    RHS_V     r0        1
    RHS_V     r1        1
    RHS_V     r18       1
    RHS_V     r31       1
    RHS_V     r38       1
    RHS_V     r41       1
    RHS_V     r42       1
    RHS_V     r53       1
    RHS_V     r64       1
    RHS_V     r73       1
    RHS_V     r78       1
    RHS_V     r79       1
    RHS_V     r80       1
    RHS_V     r81       1
    RHS_V     r82       1
    RHS_V     r83       1
    RHS_V     r84       1
    RHS_V     r85       1
    RHS_V     r86       1
    RHS_V     r94       1
    RHS_V     r_ekk99   -7
    RHS_V     r_ekk100  -7
    RHS_V     r_ekk101  -7
    RHS_V     r_ekk102  -7
    RHS_V     r_ekk103  -7
    RHS_V     r_ekk104  -7
    RHS_V     r_ekk105  -7
    RHS_V     r_ekk106  -7
    RHS_V     r_ekk107  -7
    RHS_V     r_ekk108  -7
    RHS_V     r_ekk109  -7
    RHS_V     r_ekk110  -7
    RHS_V     r_ekk111  -7
    RHS_V     r_ekk112  -7
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
 BV BOUND     c48     
 BV BOUND     c49     
 BV BOUND     c50     
 BV BOUND     c51     
 BV BOUND     c52     
 BV BOUND     c53     
 BV BOUND     c54     
 BV BOUND     c55     
 BV BOUND     c56     
 BV BOUND     c57     
 BV BOUND     c58     
 BV BOUND     c59     
 BV BOUND     c60     
 BV BOUND     c61     
 BV BOUND     c62     
 BV BOUND     c63     
 BV BOUND     c64     
 BV BOUND     c65     
 BV BOUND     c66     
 BV BOUND     c67     
 BV BOUND     c68     
 BV BOUND     c69     
 BV BOUND     c70     
 BV BOUND     c71     
 BV BOUND     c72     
 BV BOUND     c73     
 BV BOUND     c74     
 BV BOUND     c75     
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
ENDATA
